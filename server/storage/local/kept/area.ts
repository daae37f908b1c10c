import { lstat, rmdir, writeFile } from 'node:fs/promises'
import type { FilePath } from '../../../../shared/path.ts'
import { AppError, asAppError } from '../../../errors.ts'
import type { KeptAt } from '../../kept.ts'
import { errnoOf } from '../errno.ts'
import { syncFolder } from '../folders.ts'
import { below, type Handle, statAgain } from '../handle.ts'
import type { Item, Scope } from '../resolve-path.ts'
import { identityOf } from '../stat-fields.ts'
import { areaName } from '../temp-names.ts'
import { firstHome, type HoldFolder, type Holding, holding, makeFolder, type OpenArea } from './area-folders.ts'
import { CANS, canFor } from './can.ts'
import { homesOf } from './homes.ts'

export type { OpenArea } from './area-folders.ts'

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

/**
 * The area for an entry: in the highest folder above it on the same file system in which one exists or can be made.
 * @throws no_trash
 */
export async function areaFor(scope: Scope, item: Item): Promise<OpenArea> {
  const { homes, isRemembered } = await homesOf(scope, item)
  const near = isRemembered ? { near: item.folder } : {}
  const open = async (home: FilePath) => {
    const can = scope.trashPlace === 'desktop' ? await canFor(scope, home) : undefined
    return can ?? areaIn(scope, home, { make: true, ...near })
  }
  const area = await firstHome(homes, open).catch(thrown => {
    if (asAppError(thrown).code !== 'no_space') throw thrown
  })
  if (!area) throw new AppError('no_trash')
  return area
}

/**
 * Where the area for an entry is; see `areaFor`. Of one that was used a moment ago only the top is looked at: what opens it
 * checks the rest.
 * @throws no_trash
 */
export async function placeOfArea(scope: Scope, item: Item): Promise<AreaPlace> {
  const { homes, isRemembered } = await homesOf(scope, item)
  const [home] = homes
  const known = isRemembered && home !== undefined && scope.trashPlace === 'own'
  const seen = known ? await topOfArea(scope, home, item.folder) : undefined
  if (seen) return seen
  const area = await areaFor(scope, item)
  area.close()
  return { home: area.home, area: area.area }
}

function topOfArea(scope: Scope, home: FilePath, near: Handle): Promise<AreaPlace | undefined> {
  const find = async ({ parent, again, close }: Holding): Promise<AreaPlace | undefined> => {
    const name = areaName(scope.stagingKey)
    if (!(await isComplete(parent, name, near))) return undefined
    const { stat } = await again(parent, name)
    close()
    return { home, area: identityOf(stat) }
  }
  return holding(scope, home, find, near)
}

/**
 * An area that was used before.
 * @param near a held folder on its disk, if it was used a moment ago
 * @throws unavailable when it is not there
 */
export async function openArea(scope: Scope, { home, area }: AreaPlace, near?: Handle): Promise<OpenArea> {
  for (const open of [areaIn, ...CANS]) {
    const found = await open(scope, home, { make: false, ...(near && { near }) })
    if (found?.area === area) return found
    found?.close()
  }
  throw new AppError('unavailable', 'the disk with the deleted files is not there')
}

/**
 * @param how.near a held folder on the same disk, if the area was probably used a moment ago
 * @returns `undefined` where there is none, or none that is safe to use
 */
export async function areaIn(
  scope: Scope,
  home: FilePath,
  { make, near }: { make: boolean; near?: Handle },
): Promise<OpenArea | undefined> {
  const find = async ({ parent, folder, again, close }: Holding): Promise<OpenArea> => {
    const name = areaName(scope.stagingKey)
    // A process that was killed while it made an area leaves one that lacks folders.
    if (make && !(await isComplete(parent, name, near))) await makeArea(parent, name, folder)
    const top = await again(parent, name)
    const trash = await again(top, 'trash')
    const [files, notes] = [await again(trash, 'files'), await again(trash, 'info')]
    // What sets a thing aside has no use for it.
    const leaving = near ? undefined : await again(top, 'leaving')
    return { home, area: identityOf(top.stat), top, files, notes, leaving, close }
  }
  return holding(scope, home, find, near)
}

/** Makes the area of a folder, or what it lacks. */
export async function makeArea(parent: Handle, name: string, folder: HoldFolder): Promise<void> {
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

async function isComplete(parent: Handle, name: string, near: Handle | undefined): Promise<boolean> {
  const last = `${name}/${FOLDERS.at(-1)}`
  if (near && (await statAgain(parent, last))) return true
  return lstat(below(parent, last)).then(
    () => true,
    thrown => errnoOf(thrown) !== 'ENOENT',
  )
}
