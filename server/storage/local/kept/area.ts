import { lstat, rmdir, writeFile } from 'node:fs/promises'
import { type FilePath, joinPath, parentOf, pathsDownTo } from '../../../../shared/path.ts'
import { AppError } from '../../../errors.ts'
import type { KeptAt } from '../../kept.ts'
import { errnoOf } from '../errno.ts'
import { syncFolder } from '../folders.ts'
import { below, type Handle, hold } from '../handle.ts'
import { mountOf } from '../mounts.ts'
import { nativePath } from '../native-path.ts'
import type { Item, Scope } from '../resolve-path.ts'
import { identityOf } from '../stat-fields.ts'
import { areaName } from '../temp-names.ts'
import { type HoldFolder, holding, isSafe, makeFolder, type OpenArea, realOf } from './area-folders.ts'
import { CANS, canFor } from './can.ts'

export type { OpenArea } from './area-folders.ts'

/** A folder of former contents in an area, held open. */
export interface OpenVersions extends Pick<KeptAt, 'home' | 'area'> {
  files: Handle
  /** `versions` itself. */
  all: Handle
  close(): void
}

type AreaPlace = Pick<KeptAt, 'home' | 'area'>

const FOLDERS = ['trash', 'leaving', 'trash/files', 'trash/info'] as const

const README = `This folder belongs to Filigree, a web file manager. It holds what people deleted or replaced there until it is
emptied or expires.

trash/files    what was deleted, under its name, "~" and an id; nothing inside it was changed
trash/info     for each of them the path that it had, percent-encoded and relative to the folder that holds this one
versions       former contents of files, by id; the folder is named after the last two letters of the id
versions/list  a line for each: time, id, bytes, path as above, user; separated by tabs

To get something back by hand, move it out of trash/files, or copy it out of versions. Filigree notices.
`

/** The path of an entry in the served root; behind a link out, that of the link and the names below it. */
export const placeOf = (scope: Scope, { canonical }: Pick<Item, 'canonical'>): FilePath =>
  joinPath(scope.base, canonical)

/**
 * The area for an entry: in the highest folder above it on the same file system in which one exists or can be made.
 * @throws no_trash
 */
export async function areaFor(scope: Scope, item: Item): Promise<OpenArea> {
  for (const home of await homesOf(scope, item)) {
    const can = scope.trashPlace === 'desktop' ? await canFor(scope, home) : undefined
    const area = can ?? (await areaIn(scope, home, { make: true }))
    if (area) return area
  }
  throw new AppError('no_trash')
}

/** An area that was used before. @throws unavailable when it is not there */
export async function openArea(scope: Scope, { home, area }: AreaPlace): Promise<OpenArea> {
  for (const open of [areaIn, ...CANS]) {
    const found = await open(scope, home, { make: false })
    if (found?.area === area) return found
    found?.close()
  }
  throw new AppError('unavailable', 'the disk with the deleted files is not there')
}

/** The folders above an entry that are on its file system, from the highest to the one that holds it. */
async function homesOf(scope: Scope, { folder, canonical }: Item): Promise<FilePath[]> {
  const mount = mountOf(folder.real)
  const homes: FilePath[] = []
  for (const place of pathsDownTo(parentOf(placeOf(scope, { canonical }))).toReversed()) {
    const held = await hold(scope.level, nativePath(realOf(scope, place))).catch(() => undefined)
    held?.close()
    if (held?.stat.dev !== folder.stat.dev || mountOf(held.real) !== mount) break
    homes.unshift(place)
  }
  return homes
}

/** @returns `undefined` where there is none, or none that is safe to use */
export async function areaIn(scope: Scope, home: FilePath, { make }: { make: boolean }): Promise<OpenArea | undefined> {
  return holding(scope, home, async ({ parent, folder, close }) => {
    const name = areaName(scope.stagingKey)
    // A process that was killed while it made an area leaves one that lacks folders.
    if (make && !(await isComplete(parent, name))) await makeArea(parent, name, folder)
    const top = await folder(parent, name)
    const trash = await folder(top, 'trash')
    const [files, notes] = [await folder(trash, 'files'), await folder(trash, 'info')]
    const leaving = await folder(top, 'leaving')
    return { home, area: identityOf(top.stat), top, files, notes, leaving, close }
  })
}

/** The name of the folder in `versions` that holds a former content. */
const folderOf = (id: string) => id.slice(-2)

/**
 * The folder for a former content of a file, in the area for it.
 * @returns `undefined` where nothing can be kept
 */
export async function versionsFor(scope: Scope, item: Item, id: string): Promise<OpenVersions | undefined> {
  for (const home of await homesOf(scope, item)) {
    const folder = await versionsIn(scope, home, id)
    if (folder) return folder
  }
  return undefined
}

/** The folder for a former content in the area of a folder; made if it is missing. */
export async function versionsIn(scope: Scope, home: FilePath, id: string): Promise<OpenVersions | undefined> {
  return holding(scope, home, async ({ parent, folder, made, close }) => {
    const name = areaName(scope.stagingKey)
    const top = await folder(parent, name).catch(async thrown => {
      if (errnoOf(thrown) !== 'ENOENT') throw thrown
      await makeArea(parent, name, folder)
      return folder(parent, name)
    })
    const all = await made(top, 'versions')
    return { home, area: identityOf(top.stat), files: await made(all, folderOf(id)), all, close }
  })
}

/** The folder of an area that holds a kept item; the owner closes it. @throws not_found */
export async function holdFilesOf(scope: Scope, area: OpenArea, { name, kind }: Pick<KeptAt, 'name' | 'kind'>) {
  if (kind !== 'version') return area.files
  let folder = area.top
  for (const step of ['versions', folderOf(name)]) {
    const next = await hold(scope.level, below(folder, step), true).finally(() => {
      if (folder !== area.top) folder.close()
    })
    folder = next
    if (isSafe(next)) continue
    next.close()
    throw new AppError('not_found')
  }
  return folder
}

async function makeArea(parent: Handle, name: string, folder: HoldFolder): Promise<void> {
  await makeFolder(parent, name)
  const top = await folder(parent, name)
  try {
    for (const inner of FOLDERS) await makeFolder(top, inner)
    await writeFile(below(top, 'README.txt'), README, { flag: 'wx', mode: 0o600 }).catch(() => {})
    await syncFolder(top)
    await syncFolder(parent)
  } catch (thrown) {
    // On a full disk a part of an area would take the last room. What is not empty stays.
    for (const inner of FOLDERS.toReversed()) await rmdir(below(top, inner)).catch(() => {})
    await rmdir(below(parent, name)).catch(() => {})
    throw thrown
  }
}

const isComplete = (parent: Handle, name: string): Promise<boolean> =>
  lstat(below(parent, `${name}/${FOLDERS.at(-1)}`)).then(
    () => true,
    thrown => errnoOf(thrown) !== 'ENOENT',
  )
