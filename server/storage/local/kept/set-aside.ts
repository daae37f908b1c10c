import { type BigIntStats, closeSync, fdatasync, open, writeFile } from 'node:fs'
import { lstat, rename, unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type FilePath, ROOT } from '../../../../shared/path.ts'
import { AppError, asAppError } from '../../../errors.ts'
import type { Entry, KeptAt, KeptNote } from '../../driver.ts'
import type { AsideOptions } from '../../kept.ts'
import { keptName } from '../../kept-name.ts'
import { errnoOf, translated } from '../errno.ts'
import { syncFolder } from '../folders.ts'
import { below, type Handle, statAgain } from '../handle.ts'
import type { NativePath } from '../native-path.ts'
import { checkTree, demandNoMounts } from '../remove.ts'
import { renameNew } from '../rename.ts'
import { type Item, locateItem, type Scope } from '../resolve-path.ts'
import { entryOf } from '../stat.ts'
import { identityOf } from '../stat-fields.ts'
import { type OpenArea, openArea, placeOfArea } from './area.ts'
import { copyAside } from './copy-aside.ts'
import { exchangeAside } from './exchange-aside.ts'
import { placeOf } from './homes.ts'
import { formatNote } from './note.ts'

/** File system errors that mean: it cannot be kept here. */
const CANNOT_KEEP = { EXDEV: 'too_far', ENOSPC: 'no_trash', EDQUOT: 'no_trash', EMLINK: 'no_trash' } as const

const [openFile, writeAll, datasync] = [promisify(open), promisify(writeFile), promisify(fdatasync)]

export const noteName = (name: string) => `${name}.trashinfo`

/** What would be kept, and where; see `KeptThings.plan`. */
export async function planKeep(scope: Scope, path: FilePath, id: string) {
  return onItem(scope, path, async item => {
    const stat = await look(item.folder, item.name)
    const at: KeptAt = { ...(await placeOfArea(scope, item)), name: keptName(item.name, id) }
    const was: Entry = entryOf(path, item.canonical, { stat }, stat.isSymbolicLink())
    return { at, was, place: placeOf(scope, item) }
  })
}

/** Keeps what was planned; see `KeptThings.setAside`. */
export async function setAside(
  scope: Scope,
  path: FilePath,
  { at, was }: { at: KeptAt; was: Entry },
  note: KeptNote,
  how?: AsideOptions,
): Promise<void> {
  await onItem(scope, path, async item => {
    if (identityOf(await look(item.folder, item.name)) !== was.identity) throw new AppError('not_found')
    // A rename would take a mounted file system out of reach.
    if (was.kind === 'folder') demandNoMounts(scope, item)
    if (was.kind === 'folder') await checkTree(scope, item)
    const area = await openArea(scope, at, item.folder).catch(thrown => {
      // Its top was there just now, so it is not safe any more.
      throw asAppError(thrown).code === 'unavailable' ? new AppError('no_trash') : thrown
    })
    try {
      await writeNote(area, at.name, placeOf(scope, item), note)
      try {
        if (how?.instead) await exchangeAside(scope, item, { files: area.files, name: at.name, was }, how.instead)
        else await moveOrCopy(scope, item, area, at.name, was, how)
      } catch (thrown) {
        await removeNote(area.notes, at.name)
        throw thrown
      }
      await Promise.all([area.files, area.notes, item.folder].map(syncFolder))
    } finally {
      area.close()
    }
  })
}

async function moveOrCopy(
  scope: Scope,
  item: Item,
  area: OpenArea,
  name: string,
  was: Entry,
  how: AsideOptions | undefined,
): Promise<void> {
  try {
    await moveInto(scope, item, area.files, name, was)
  } catch (thrown) {
    if (errnoOf(thrown) !== 'EXDEV' || !how) throw thrown
    await copyAside(scope, item, area, name, how)
  }
}

/** Renames an entry into the area; another object that took its name in the meantime is given it back. */
async function moveInto(scope: Scope, item: Item, files: Handle, name: string, was: Entry): Promise<void> {
  const [from, to] = [below(item.folder, item.name), below(files, name)]
  await rename(from, to)
  const came = await look(files, name)
  if (identityOf(came) === was.identity) return
  await (came.isDirectory() ? rename(to, from) : renameNew(scope, { folder: files, name }, item))
  throw new AppError('not_found')
}

/** Removes the note of a thing that has left. */
export async function removeNote(notes: Handle, name: string): Promise<void> {
  await unlink(below(notes, noteName(name))).catch(() => {})
}

/** @throws system errors, such as for a missing name */
const look = async (folder: Handle, name: string): Promise<BigIntStats> =>
  (await statAgain(folder, name)) ?? lstat(below(folder, name), { bigint: true })

async function onItem<T>(scope: Scope, path: FilePath, act: (item: Item) => Promise<T>): Promise<T> {
  if (path === ROOT) throw new AppError('forbidden')
  const item = await locateItem(scope, path)
  try {
    return await act(item)
  } catch (thrown) {
    throw translated(thrown, CANNOT_KEEP)
  } finally {
    item.folder.close()
  }
}

const pathBelow = (home: FilePath, place: FilePath) => place.slice(home === ROOT ? 1 : home.length + 1)

/** Writes the note of a thing in an area. @param place the path in the served root that it had */
export async function writeNote(
  { home, notes }: Pick<OpenArea, 'home' | 'notes'>,
  name: string,
  place: FilePath,
  note: KeptNote,
): Promise<void> {
  await writeNew(below(notes, noteName(name)), formatNote(pathBelow(home, place), note))
}

async function writeNew(at: NativePath, text: string): Promise<void> {
  const file = await openFile(at, 'wx', 0o600)
  try {
    await writeAll(file, text)
    await datasync(file)
  } finally {
    // A file that was just written has nothing to wait for.
    closeSync(file)
  }
}
