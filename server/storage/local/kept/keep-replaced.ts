import { type BigIntStats, constants } from 'node:fs'
import { copyFile, link, lstat, open, readdir, readFile, rename, unlink } from 'node:fs/promises'
import { type FilePath, ROOT, trustedChild } from '../../../../shared/path.ts'
import { AppError } from '../../../errors.ts'
import type { FoundKept, KeepReplaced, KeptAt } from '../../driver.ts'
import { demandVersion } from '../../write-file.ts'
import { errnoOf, systemError } from '../errno.ts'
import { syncFolder } from '../folders.ts'
import { below, type Handle, hold } from '../handle.ts'
import { type NativePath, nativePath, textFrom } from '../native-path.ts'
import type { Item, Scope } from '../resolve-path.ts'
import { entryOf } from '../stat.ts'
import { identityOf, isSameObject, versionOf } from '../stat-fields.ts'
import { type OpenArea, type OpenVersions, placeOf, versionsFor, versionsIn } from './area.ts'
import { formatLine, parseList } from './version-list.ts'

const LIST = 'list'
/** Errors after which a file is copied, because it can get no second name. */
const NO_LINK = new Set(['EPERM', 'EACCES', 'EXDEV', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'])

/** A former content of a file that has not given way yet. */
export interface Kept {
  /** Whether the file at the name is still the one that is kept. @throws precondition_failed, not_found */
  demandSame(): Promise<void>
  /** The file has given way. */
  done(): Promise<void>
  /** It has not: nothing is kept. */
  undo(): Promise<void>
  close(): void
}

/**
 * Keeps the file at a name that is about to be replaced: by a second name in the area of its disk, or by a copy where it
 * can have none.
 * @returns nothing where there is no file, or the disk keeps nothing
 * @throws precondition_failed, and `not_found` when another program exchanged the file meanwhile, and what `kept` throws
 */
export async function keepReplaced(
  scope: Scope,
  item: Item,
  { keep, ifMatch, made }: { keep: KeepReplaced; ifMatch: string | undefined; made: string },
): Promise<Kept | undefined> {
  const name = below(item.folder, item.name)
  const was = await lstat(name, { bigint: true }).catch(() => undefined)
  demandVersion(was && versionOf(was), ifMatch === undefined ? {} : { ifMatch })
  if (!was) return undefined
  const exchanged = () => (ifMatch === undefined ? systemError('ENOENT') : new AppError('precondition_failed'))
  if (!was.isFile()) throw exchanged()
  const folder = await versionsFor(scope, item, keep.id)
  if (!folder) return undefined
  const second = below(folder.files, keep.id)
  const undo = () => unlink(second).catch(() => {})
  try {
    const kept = await secondName(scope, { name, was, second, mayCopy: keep.mayCopy })
    if (kept === 'exchanged') throw exchanged()
    if (!kept) {
      folder.close()
      return undefined
    }
    const at: KeptAt = { home: folder.home, area: folder.area, name: keep.id, kind: 'version' }
    const place = placeOf(scope, item)
    const entry = entryOf(item.canonical, item.canonical, { stat: was }, false)
    await bothOf(syncFolder(folder.files), keep.kept({ at, was: entry, place, identity: identityOf(kept), made }))
    return {
      undo,
      async demandSame() {
        const there = await lstat(name, { bigint: true }).catch(() => undefined)
        if (!there || !isSameObject(there, was)) throw exchanged()
      },
      async done() {
        const path = pathBelow(folder.home, place)
        const size = Number(was.size)
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

interface Source {
  name: NativePath
  was: BigIntStats
  second: NativePath
  mayCopy: number
}

/** @returns the kept file; nothing where it cannot be kept; `exchanged` for another file */
async function secondName(scope: Scope, source: Source): Promise<BigIntStats | 'exchanged' | undefined> {
  const { name, was, second } = source
  try {
    await link(name, second)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return 'exchanged'
    // A name that an attempt before this one left.
    if (errnoOf(thrown) === 'EEXIST') {
      await unlink(second)
      return secondName(scope, source)
    }
    if (NO_LINK.has(errnoOf(thrown))) return copied(scope, source)
    throw thrown
  }
  const kept = await lstat(second, { bigint: true })
  const isSame = isSameObject(kept, was) && kept.mtimeNs === was.mtimeNs && kept.size === was.size
  return isSame ? kept : 'exchanged'
}

/** A copy that shares its blocks with the file, or one of limited size. */
async function copied(
  scope: Scope,
  { name, was, second, mayCopy }: Source,
): Promise<BigIntStats | 'exchanged' | undefined> {
  const file = await open(name, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined)
  if (!file) return undefined
  try {
    if (!isSameObject(await file.stat({ bigint: true }), was)) return 'exchanged'
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
    return await finished(second, was)
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
async function list({ all }: OpenVersions, line: string): Promise<void> {
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
  const folder = await versionsIn(scope, to.home, name)
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
