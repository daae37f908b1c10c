import { type BigIntStats, constants } from 'node:fs'
import { copyFile, link, lstat, open, readdir, readFile, rename, unlink } from 'node:fs/promises'
import { type FilePath, ROOT, trustedChild } from '../../../../shared/path.ts'
import { AppError } from '../../../errors.ts'
import type { Entry, FoundKept, KeepReplaced, KeptAt } from '../../driver.ts'
import { demandVersion } from '../../write-file.ts'
import { errnoOf, systemError } from '../errno.ts'
import { syncFolder } from '../folders.ts'
import { below, type Handle, hold, statAgain } from '../handle.ts'
import { type NativePath, nativePath, textFrom } from '../native-path.ts'
import type { Item, Scope } from '../resolve-path.ts'
import { entryOf } from '../stat.ts'
import { identityOf, isSameObject, versionOf } from '../stat-fields.ts'
import type { OpenArea } from './area.ts'
import { placeOf } from './homes.ts'
import { type VersionFolder, versionFolderFor, versionFolderIn } from './version-folder.ts'
import { formatLine, parseList } from './version-list.ts'

const LIST = 'list'
/** Errors after which a file is copied, because it can get no second name. */
const NO_LINK = new Set(['EPERM', 'EACCES', 'EXDEV', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'])

/** A former content of a file that has not given way yet. */
export interface Kept {
  /**
   * Makes sure that the file at the name is the one that is kept, right before it gives way.
   * @throws precondition_failed, not_found
   */
  confirm(): Promise<void>
  /** The file has given way. */
  done(): Promise<void>
  /** It has not: nothing is kept. */
  undo(): Promise<void>
  close(): void
}

/**
 * Keeps the file at a name that is about to be replaced: by a second name in the area of its disk, or by a copy where it
 * can have none.
 * @returns nothing where the disk keeps nothing, `absent` where there is no file
 * @throws precondition_failed, and `not_found` when the file was removed meanwhile, and what `kept` throws
 */
export async function keepReplaced(
  scope: Scope,
  item: Item,
  {
    keep,
    ifMatch,
    made,
  }: { keep: KeepReplaced; ifMatch: string | undefined; made: Pick<Entry, 'identity' | 'modified'> },
): Promise<Kept | 'absent' | undefined> {
  const name = below(item.folder, item.name)
  const there = await statAgain(item.folder, item.name)
  demandVersion(there && versionOf(there), ifMatch === undefined ? {} : { ifMatch })
  if (!there) return 'absent'
  const folder = await versionFolderFor(scope, item, keep.id)
  if (!folder) return undefined
  const second = below(folder.files, keep.id)
  const at: KeptAt = { home: folder.home, area: folder.area, name: keep.id, kind: 'version' }
  const place = placeOf(scope, item)
  const source = {
    name,
    second,
    files: folder.files,
    id: keep.id,
    mayCopy: keep.mayCopy,
    only: ifMatch === undefined ? undefined : there,
  }
  const record = ({ was, kept }: Pair) => {
    const entry = entryOf(item.canonical, item.canonical, { stat: was }, false)
    return keep.kept({
      at,
      was: entry,
      place,
      identity: identityOf(kept),
      made: made.identity,
      modified: made.modified,
    })
  }
  const undo = () => unlink(second).catch(() => {})
  try {
    let pair = await secondName(scope, source)
    if (!pair) {
      folder.close()
      return undefined
    }
    let recorded = pair
    await bothOf(syncFolder(folder.files), record(pair))
    return {
      undo,
      async confirm() {
        const now = await statAgain(item.folder, item.name)
        if (now && pair && isSameObject(now, pair.was)) return
        if (ifMatch !== undefined) throw new AppError('precondition_failed')
        // Another program is as fast as the record: what gives way is kept first, and recorded afterwards.
        await undo()
        pair = (await secondName(scope, source)) ?? pair
      },
      async done() {
        if (pair && pair !== recorded) {
          recorded = pair
          await record(pair)
        }
        const path = pathBelow(folder.home, place)
        const size = Number(recorded.was.size)
        await list(folder, formatLine(path, { id: keep.id, username: keep.username, deletedAt: Date.now(), size }))
      },
      close: () => folder.close(),
    }
  } catch (thrown) {
    await undo()
    folder.close()
    throw thrown
  }
}

/** Waits for both also after a failure: the records must be settled before they are taken back. */
async function bothOf(...acts: Promise<void>[]): Promise<void> {
  const failed = (await Promise.allSettled(acts)).find(end => end.status === 'rejected')
  if (failed) throw failed.reason
}

/** A file that gives way, and what is kept of it: the same file, or a copy. */
interface Pair {
  was: BigIntStats
  kept: BigIntStats
}

interface Source {
  name: NativePath
  second: NativePath
  /** The folder of the second name, and that name in it. */
  files: Handle
  id: string
  mayCopy: number
  /** The only file to keep. */
  only: BigIntStats | undefined
}

/** @returns nothing where the file cannot be kept @throws precondition_failed for another file than the only one */
async function secondName(scope: Scope, source: Source): Promise<Pair | undefined> {
  const { name, second, files, id } = source
  try {
    await link(name, second)
  } catch (thrown) {
    // A name that an attempt before this one left.
    if (errnoOf(thrown) === 'EEXIST') {
      await unlink(second)
      return secondName(scope, source)
    }
    if (NO_LINK.has(errnoOf(thrown))) return copied(scope, source)
    throw thrown
  }
  const was = await statAgain(files, id)
  if (!was) throw systemError('ENOENT')
  demandOnly(source, was)
  return { was, kept: was }
}

function demandOnly({ only }: Source, was: BigIntStats): void {
  if (!was.isFile()) throw only ? new AppError('precondition_failed') : systemError('ENOENT')
  if (!only) return
  const isSame = isSameObject(only, was) && only.mtimeNs === was.mtimeNs && only.size === was.size
  if (!isSame) throw new AppError('precondition_failed')
}

/** A copy that shares its blocks with the file, or one of limited size. */
async function copied(scope: Scope, source: Source): Promise<Pair | undefined> {
  const { name, second, mayCopy } = source
  const file = await open(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined)
  if (!file) return undefined
  try {
    const was = await file.stat({ bigint: true })
    demandOnly(source, was)
    const from = scope.level === 'handles' ? `/proc/self/fd/${file.fd}` : name
    const { COPYFILE_EXCL, COPYFILE_FICLONE_FORCE } = constants
    const isCopied = (flags: number) =>
      copyFile(from, second, COPYFILE_EXCL | flags).then(
        () => true,
        () =>
          unlink(second).then(
            () => false,
            () => false,
          ),
      )
    if (!(await isCopied(COPYFILE_FICLONE_FORCE)) && !(was.size <= mayCopy && (await isCopied(0)))) return undefined
    const kept = await finished(second, was)
    return kept && { was, kept }
  } finally {
    await file.close()
  }
}

async function finished(second: NativePath, was: BigIntStats): Promise<BigIntStats | undefined> {
  try {
    const copy = await open(second, constants.O_RDWR | constants.O_NOFOLLOW)
    try {
      await copy.chmod(Number(was.mode) & 0o777)
      await copy.utimes(Number(was.atimeNs) / 1e9, Number(was.mtimeNs) / 1e9)
      await copy.sync()
      return await copy.stat({ bigint: true })
    } finally {
      await copy.close()
    }
  } catch {
    await unlink(second).catch(() => {})
    return undefined
  }
}

/** The list serves people without Filigree; what is recorded does not depend on it. */
async function list({ all }: VersionFolder, line: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW
  try {
    const file = await open(below(all, LIST), flags, 0o600)
    try {
      await file.writeFile(line)
    } finally {
      await file.close()
    }
  } catch {}
}

/** The former contents of files in an area, with what the list says. */
export async function* findVersions(scope: Scope, { home, area, top }: OpenArea): AsyncGenerator<FoundKept> {
  const all = await hold(scope.level, below(top, 'versions'), true).catch(() => undefined)
  if (!all) return
  try {
    const listed = parseList(await readFile(below(all, LIST), 'utf8').catch(() => ''), home)
    for (const inner of await namesIn(all)) {
      const folder = await hold(scope.level, below(all, inner), true).catch(() => undefined)
      if (!folder) continue
      try {
        for (const name of await namesIn(folder)) {
          const stat = await lstat(below(folder, name), { bigint: true }).catch(() => undefined)
          if (!stat?.isFile()) continue
          const path = trustedChild(ROOT, name)
          const at: KeptAt = { home, area, name, kind: 'version' }
          yield { at, was: entryOf(path, path, { stat }, false), note: listed.get(name), isLinked: stat.nlink > 1n }
        }
      } finally {
        folder.close()
      }
    }
  } finally {
    all.close()
  }
}

const namesIn = async (folder: Handle): Promise<string[]> =>
  folder.stat.isDirectory() ? (await readdir(nativePath(folder.at), 'buffer')).map(textFrom) : []

/** Moves a former content to another area of its disk, with what the list says. */
export async function moveVersion(
  scope: Scope,
  { name }: KeptAt,
  { from, files, to }: { from: OpenArea; files: Handle; to: OpenArea },
): Promise<KeptAt> {
  const folder = await versionFolderIn(scope, to.home, name)
  if (!folder) throw new AppError('unavailable')
  const all = await hold(scope.level, below(from.top, 'versions'), true)
  try {
    const listed = parseList(await readFile(below(all, LIST), 'utf8').catch(() => ''), from.home).get(name)
    await rename(below(files, name), below(folder.files, name))
    await Promise.all([files, folder.files].map(syncFolder))
    if (listed) await list(folder, formatLine(pathBelow(to.home, listed.place), listed))
    return { home: to.home, area: to.area, name, kind: 'version' }
  } finally {
    all.close()
    folder.close()
  }
}

const pathBelow = (home: FilePath, place: FilePath) => place.slice(home === ROOT ? 1 : home.length + 1)
