import { type FilePath, joinPath, trustedChild } from '../../../shared/path.ts'
import { mapLimit } from '../../lib/limit.ts'
import type { Entry } from '../driver.ts'
import { FACTS } from '../found-names.ts'
import { folderKey, nameIn } from './keys.ts'
import { entryOf, fileFacts } from './object-metadata.ts'
import { headObject, listAll } from './objects.ts'
import type { ListedObject, ListPage } from './page.ts'
import { unlessMissing } from './s3-errors.ts'
import type { Scope } from './scope.ts'
import { demandFolder, folderAt } from './stat.ts'

/** Concurrent HEAD requests, for metadata that a listing lacks. */
const AT_ONCE = 48

/** The children of a folder; see the driver contract. */
export async function* listFolder(scope: Scope, folder: FilePath): AsyncGenerator<Entry[]> {
  await demandFolder(scope, folder)
  let held: ListedObject[] = []
  let pages = 0
  for await (const page of listAll(scope.client, folderKey(scope.base, folder), true)) {
    pages += 1
    // More than one page is left to the next full scan.
    if (pages === 1 && page.next === undefined) reportListing(scope, folder, page)
    const { files, waiting } = settledFiles([...held, ...page.objects], page)
    held = waiting
    const entries = await entriesOf(scope, folder, files, page.folders)
    if (entries.length > 0) yield entries
  }
}

/** @param page the whole listing */
function reportListing(scope: Scope, folder: FilePath, page: ListPage): void {
  scope.onListing?.(joinPath(scope.rootPath, folder), () => {
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

/** Files without a folder of the same name. Those that only the next page can decide are held back. */
function settledFiles(files: readonly ListedObject[], page: ListPage) {
  const folders = new Set(page.folders)
  const last = Buffer.from([page.objects.at(-1)?.key ?? '', page.folders.at(-1) ?? ''].sort(inBytes).at(-1) ?? '')
  const isSettled = ({ key }: ListedObject) =>
    page.next === undefined || Buffer.compare(Buffer.from(`${key}/`), last) <= 0
  const alone = files.filter(({ key }) => !folders.has(`${key}/`))
  return { files: alone.filter(isSettled), waiting: alone.filter(file => !isSettled(file)) }
}

const inBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

async function entriesOf(
  scope: Scope,
  folder: FilePath,
  files: readonly ListedObject[],
  folders: readonly string[],
): Promise<Entry[]> {
  const start = folderKey(scope.base, folder).length
  const pathOf = (key: string): FilePath | undefined => {
    const name = nameIn(key.slice(start))
    const path = name === undefined ? undefined : trustedChild(folder, name)
    return path === undefined || (scope.guard && !scope.guard(path)) ? undefined : path
  }
  const [foundFiles, foundFolders] = await Promise.all([
    mapLimit(files, AT_ONCE, file => fileEntry(scope, pathOf(file.key), file)),
    mapLimit(folders, AT_ONCE, key => folderEntry(scope, pathOf(key.slice(0, -1)))),
  ])
  return [...foundFiles, ...foundFolders].filter(entry => entry !== undefined)
}

async function fileEntry(scope: Scope, path: FilePath | undefined, file: ListedObject): Promise<Entry | undefined> {
  if (path === undefined) return undefined
  const known = scope.facts.get(file)
  if (known) return entryOf(path, known)
  const head = await unlessMissing(headObject(scope.client, file.key))
  if (!head) return undefined
  const facts = fileFacts(head)
  if (head.etag === file.etag) scope.facts.put(file, facts)
  return entryOf(path, facts)
}

async function folderEntry(scope: Scope, path: FilePath | undefined): Promise<Entry | undefined> {
  return path && entryOf(path, (await folderAt(scope, path)).facts)
}
