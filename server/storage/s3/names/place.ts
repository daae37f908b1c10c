import { type FilePath, ROOT } from '../../../../shared/path.ts'
import { FACTS } from '../../names/name-pages.ts'
import { folderKey, nameIn, pathsIn } from '../keys.ts'
import type { ListPage } from '../objects.ts'
import type { IndexedNames, Scope } from '../scope.ts'

/** Where a folder lies below the one that is indexed. */
export function placeIn(scope: Scope, { base }: IndexedNames, folder: FilePath): FilePath {
  const rest = folderKey(scope.base, folder).slice(base.length)
  return (rest === '' ? undefined : pathsIn(ROOT, rest)?.at(-1)) ?? ROOT
}

/** Tells the index what a folder was listed with, for what other programs did there. @param page the whole listing */
export function tellListed(scope: Scope, folder: FilePath, page: ListPage): void {
  scope.names?.index.listed(placeIn(scope, scope.names, folder), () => {
    const start = folderKey(scope.base, folder).length
    const facts = new Map<string, number>()
    const add = (key: string, fact: number) => {
      const name = nameIn(key.slice(start))
      if (name !== undefined) facts.set(name, fact)
    }
    for (const { key, size } of page.objects) add(key, size)
    // Where there are a file and a folder of one name the folder counts.
    for (const key of page.folders) add(key.slice(0, -1), FACTS.folder)
    return facts
  })
}
