import {
  type BigIntStats,
  close,
  closeSync,
  constants,
  fstat,
  fstatSync,
  lstatSync,
  open,
  openSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import { lstat, realpath } from 'node:fs/promises'
import { promisify } from 'node:util'
import { turnsAt } from './disk-watchdog.ts'
import { errnoOf, systemError } from './errno.ts'
import { answersAtOnce } from './mounts.ts'
import { type NativePath, nativePath, readLinkSync, textFrom } from './native-path.ts'
import { isSameObject } from './stat-fields.ts'

/**
 * How firmly paths are held. `handles` (Linux with procfs): everything is opened first, asked where it really is, and
 * acted on through its descriptor, so that exchanging a folder for a link meanwhile achieves nothing. `names`: the real
 * name is looked up and the opened object compared with it, which leaves a window of microseconds.
 */
export type Confinement = 'handles' | 'names'

/** A thing on disk that is held while an operation acts on it. */
export interface Handle {
  /** A path that leads to exactly this thing; see `below` and `nativePath`. */
  readonly at: string
  /** Where the thing really is. */
  readonly real: string
  /** Only where things are held open. */
  readonly descriptor?: number
  readonly stat: BigIntStats
  close(): void
}

/** Opens a place and not the thing: no right to read is needed and no FIFO or device is touched. Not in Node's list. */
const O_PATH = 0o10000000
const FD = '/proc/self/fd'
/** Times to look a name up that was given to another thing between opening it and asking where it is. */
const LOOKS = 32

const openAsync = promisify(open)
const fstatAsync = promisify<number, { bigint: true }, BigIntStats>(fstat)

/** The level this system allows. */
export function confinementLevel(): Confinement {
  try {
    const fd = openSync('/', O_PATH | constants.O_DIRECTORY)
    try {
      return readlinkSync(`${FD}/${fd}`) === '/' && lstatSync(`${FD}/${fd}/.`).isDirectory() ? 'handles' : 'names'
    } finally {
      closeSync(fd)
    }
  } catch {
    return 'names'
  }
}

/**
 * Holds what stands at a path, links followed; with `item`, the last name is held itself even if it is a link. A thing
 * that was replaced meanwhile is never the answer, nor is that nothing is there.
 * Throws system errors, and `unavailable` when the disk does not answer.
 */
export function hold(level: Confinement, path: NativePath, item = false): Promise<Handle> {
  const reach = () => (level === 'names' ? holdName(path, item) : holdPlace(path, item))
  const text = path.toString()
  // What is held already has answered.
  return text.startsWith(`${FD}/`) ? reach() : turnsAt(text).take(reach)
}

async function holdPlace(path: NativePath, item: boolean): Promise<Handle> {
  const flags = item ? O_PATH | constants.O_NOFOLLOW : O_PATH
  let lost = ''
  for (let look = 0; look < LOOKS; look++) {
    // A name that changes quickly is held without a thread, where a disk allows that.
    const fd = answersAtOnce(lost) ? openSync(path, flags) : await openAsync(path, flags)
    try {
      const real = realOf(`${FD}/${fd}`)
      const stat = await statOpen(fd, real)
      if (isThere(real, stat)) return handleOf(fd, real, stat)
      lost = real
    } catch (thrown) {
      closeSync(fd)
      throw thrown
    }
    // The last to hold a removed file waits until its blocks are given back.
    close(fd, () => {})
  }
  throw systemError('EBUSY')
}

/** `hold` for the threads that read folders: links followed, no waiting. */
export function holdSync(level: Confinement, path: NativePath): Handle {
  if (level === 'names') {
    const real = realpathSync.native(path, 'buffer')
    return byName(textFrom(real), lstatSync(real, { bigint: true }))
  }
  for (let look = 0; look < LOOKS; look++) {
    const fd = openSync(path, O_PATH)
    try {
      const real = realOf(`${FD}/${fd}`)
      const stat = fstatSync(fd, { bigint: true })
      if (isThere(real, stat)) return handleOf(fd, real, stat)
    } catch (thrown) {
      closeSync(fd)
      throw thrown
    }
    closeSync(fd)
  }
  throw systemError('EBUSY')
}

/** What stands at a real path, with no link on the way, for threads that may wait. Throws an error for anything else. */
export function holdExactlySync(real: string): Handle {
  const handle = holdSync('handles', nativePath(real))
  if (handle.real === real) return handle
  handle.close()
  throw systemError('ELOOP')
}

/**
 * What is known of a thing that is held open. A thread is only asked where a disk could keep it waiting.
 * @param real where the thing really is; `''` where nobody knows
 */
export async function statOpen(fd: number, real: string): Promise<BigIntStats> {
  return answersAtOnce(real) ? fstatSync(fd, { bigint: true }) : fstatAsync(fd, { bigint: true })
}

/**
 * What stands at a name in a held folder that was looked up just now, which the system remembers; `undefined` where nothing
 * does. A link is not followed. A thread is only asked where a disk could keep it waiting.
 */
export async function lookAgain(folder: Handle, name: string): Promise<BigIntStats | undefined> {
  const path = below(folder, name)
  if (!answersAtOnce(folder.real)) return lstat(path, { bigint: true }).catch(() => undefined)
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

interface Reopened {
  descriptor: number
  stat: BigIntStats
}

/**
 * Opens the content of what is held, and makes sure that it is that; of a file held by its name, the content of the one
 * that has replaced it there. The caller knows that it is a file or folder.
 */
export async function reopen({ at, real, stat, descriptor }: Handle, flags: number): Promise<Reopened> {
  if (descriptor === undefined) return reopenName(real, stat, flags | constants.O_NOFOLLOW)
  return statingOpened(at, flags, async fd => {
    const opened = await statOpen(fd, real)
    if (!isSameObject(opened, stat)) throw systemError('ELOOP')
    return opened
  })
}

async function reopenName(real: string, held: BigIntStats, flags: number): Promise<Reopened> {
  let meant = held
  for (let look = 0; look < LOOKS; look++) {
    const reopened = await statingOpened(real, flags, async fd => {
      const stat = await statOpen(fd, '')
      if ((await realOfName(nativePath(real))) !== real) throw systemError('ELOOP')
      return stat
    })
    if (isSameObject(reopened.stat, meant)) return reopened
    closeSync(reopened.descriptor)
    meant = await lstat(nativePath(real), { bigint: true })
    if (!held.isFile() || !meant.isFile()) throw systemError('ELOOP')
  }
  throw systemError('EBUSY')
}

/** Opens a path; what `statOf` throws closes it. */
async function statingOpened(
  path: string,
  flags: number,
  statOf: (fd: number) => Promise<BigIntStats>,
): Promise<Reopened> {
  const descriptor = await openAsync(nativePath(path), flags)
  try {
    return { descriptor, stat: await statOf(descriptor) }
  } catch (thrown) {
    closeSync(descriptor)
    throw thrown
  }
}

/** The path of a name below a held folder, for system calls. */
export function below(folder: Pick<Handle, 'at'>, name: string): NativePath {
  return nativePath(`${folder.at}/${name}`)
}

function handleOf(fd: number, real: string, stat: BigIntStats): Handle {
  let open = true
  return {
    at: `${FD}/${fd}`,
    real,
    descriptor: fd,
    stat,
    close() {
      if (open) closeSync(fd)
      open = false
    },
  }
}

/** The system does not tell places deeper than PATH_MAX; they are held all the same, but are inside of nothing. */
function realOf(at: string): string {
  try {
    return readLinkSync(at)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENAMETOOLONG') return ''
    throw thrown
  }
}

/**
 * Whether a thing that was opened by its name still has one. The system adds ` (deleted)` to the path of a removed name,
 * but a file may also really be called so.
 */
function isThere(real: string, stat: BigIntStats): boolean {
  if (stat.nlink === 0n) return false
  if (!real.endsWith(' (deleted)')) return true
  const there = lstatSync(nativePath(real), { bigint: true, throwIfNoEntry: false })
  return there !== undefined && isSameObject(there, stat)
}

async function holdName(path: NativePath, item: boolean): Promise<Handle> {
  const real = item ? textFrom(Buffer.from(path)) : await realOfName(path)
  return byName(real, await lstat(nativePath(real), { bigint: true }))
}

const realOfName = async (path: NativePath) => textFrom(await realpath(path, 'buffer'))

function byName(real: string, stat: BigIntStats): Handle {
  return { at: real, real, stat, close() {} }
}
