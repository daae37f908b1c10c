import { type FilePath, ROOT } from '../../../../shared/path.ts'
import { FACTS } from '../../names/name-pages.ts'
import { folderKey, nameIn, pathsIn } from '../keys.ts'
import type { ListPage } from '../objects.ts'
import type { IndexedNames, Scope } from '../scope.ts'

/** The path of a folder relative to the indexed one. */
export function placeIn(scope: Scope, { base }: IndexedNames, folder: FilePath): FilePath {
  const rest = folderKey(scope.base, folder).slice(base.length)
  return (rest === '' ? undefined : pathsIn(ROOT, rest)?.at(-1)) ?? ROOT
}

/** Passes a listing to the index, to detect changes by other programs. @param page the whole listing */
export function reportListing(scope: Scope, folder: FilePath, page: ListPage): void {
  scope.names?.index.listed(placeIn(scope, scope.names, folder), () => {
    const start = folderKey(scope.base, folder).length
    const facts = new Map<string, number>()
    const add = (key: string, fact: number) => {
      const name = nameIn(key.slice(start))
      if (name !== undefined) facts.set(name, fact)
    }
    for (const { key, size } of page.objects) add(key, size)
    // Where a file and a folder have the same name the folder takes precedence.
    for (const key of page.folders) add(key.slice(0, -1), FACTS.folder)
    return facts
  })
}
