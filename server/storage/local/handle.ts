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
import { watchdogOf } from './disk-watchdog.ts'
import { errnoOf, missingError, systemError } from './errno.ts'
import type { Kernel } from './kernel/kernel.ts'
import { answersAtOnce } from './mounts.ts'
import { type NativePath, nativePath, readLinkSync, textFrom } from './native-path.ts'
import { isSameObject } from './stat-fields.ts'

/**
 * How paths are confined. `handles` (Linux with procfs): everything is opened first, its real path is read from the
 * descriptor, and operations act through the descriptor, so that exchanging a folder for a link in between has no
 * effect. `names`: the real path is resolved and the opened object compared with it, which leaves a window of
 * microseconds.
 */
export type Confinement = 'handles' | 'names'

/** An object on disk that is held during an operation. */
export interface Handle {
  /** A path that leads to exactly this object; see `below` and `nativePath`. */
  readonly at: string
  /** Its real path. */
  readonly real: string
  /** Only where objects are held open. */
  readonly descriptor?: number
  readonly stat: BigIntStats
  close(): void
}

/**
 * Opens a path without its content: no read permission is needed, and no FIFO or device is touched. Node does not
 * export it.
 */
const O_PATH = 0o10000000
const FD = '/proc/self/fd'
/** What the kernel appends to the path of a removed name. */
const DELETED = ' (deleted)'
/** Attempts to resolve a name that was replaced between opening it and reading its real path. */
const ATTEMPTS = 32

const openAsync = promisify(open)
const fstatAsync = promisify<number, { bigint: true }, BigIntStats>(fstat)

/** The strongest level that this system allows. */
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
 * Holds the object at a path, links followed; with `item`, the last name itself even if it is a link. An object
 * replaced during the call is never returned, nor reported as missing. Throws system errors, and `unavailable` when the
 * disk does not respond.
 */
export function hold(level: Confinement, path: NativePath, item = false): Promise<Handle> {
  const reach = () => (level === 'names' ? holdName(path, item) : holdPlace(path, item))
  const text = path.toString()
  // The disk of a held object has responded before.
  return text.startsWith(`${FD}/`) ? reach() : watchdogOf(text).take(reach)
}

/** `hold` of an absolute path, links followed: without a thread where the kernel has it in memory. */
export async function holdFromTop({ level, kernel }: HowToHold, path: NativePath): Promise<Handle> {
  const cached = level === 'handles' && kernel ? holdCached(kernel, path) : undefined
  return cached ?? hold(level, path)
}

/** How objects are held, and system calls where they are used. */
interface HowToHold {
  level: Confinement
  kernel: Kernel | undefined
}

/**
 * @returns `undefined` where a link has to be followed, or a disk may have to be waited for. Throws ENOENT where there is
 *    nothing
 */
function holdCached(kernel: Kernel, path: NativePath): Handle | undefined {
  const fd = kernel.openCached(path)
  if (fd === 'missing') throw missingError()
  if (fd === undefined) return undefined
  const held = describeCached(fd)
  // Asynchronous, as in `holdPlace`.
  if (!held) close(fd, () => {})
  return held
}

function describeCached(fd: number): Handle | undefined {
  try {
    const real = realOf(`${FD}/${fd}`)
    if (!answersAtOnce(real) || real.endsWith(DELETED)) return undefined
    const stat = fstatSync(fd, { bigint: true })
    return stat.nlink === 0n ? undefined : handleOf(fd, real, stat)
  } catch {
    return undefined
  }
}

/**
 * `hold` for a name that was held a moment ago, so that the kernel has it cached: uses a thread only if the disk could
 * block.
 * @param near a held object on the same disk
 */
export function holdAgain(level: Confinement, path: NativePath, near: Handle, item = false): Promise<Handle> {
  return level === 'handles' && answersAtOnce(near.real) ? holdPlace(path, item, near.real) : hold(level, path, item)
}

/** @param lost the real path of an object on the same disk that the kernel has cached; `''` if there is none */
async function holdPlace(path: NativePath, item: boolean, lost = ''): Promise<Handle> {
  const flags = item ? O_PATH | constants.O_NOFOLLOW : O_PATH
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // On a disk that responds at once, a name that changes quickly is held without a thread.
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
    // Asynchronous: closing the last reference to a removed file waits until its blocks are freed.
    close(fd, () => {})
  }
  throw systemError('EBUSY')
}

/** `hold` for worker threads that read folders: links followed, synchronous. */
export function holdSync(level: Confinement, path: NativePath): Handle {
  if (level === 'names') {
    const real = realpathSync.native(path, 'buffer')
    return byName(textFrom(real), lstatSync(real, { bigint: true }))
  }
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
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

/**
 * The object at a real path, with no link on the way, for threads that may block. Throws an error for anything else.
 */
export function holdExactlySync(real: string): Handle {
  const handle = holdSync('handles', nativePath(real))
  if (handle.real === real) return handle
  handle.close()
  throw systemError('ELOOP')
}

/**
 * Stats an open object, on a thread only if the disk could block.
 * @param real the real path; `''` if unknown
 */
export async function statOpen(fd: number, real: string): Promise<BigIntStats> {
  return answersAtOnce(real) ? fstatSync(fd, { bigint: true }) : fstatAsync(fd, { bigint: true })
}

/**
 * Stats a name in a held folder that was resolved just now, so that the kernel has it cached; `undefined` where it does
 * not exist. A link is not followed. Uses a thread only if the disk could block.
 */
export async function statAgain(folder: Handle, name: string): Promise<BigIntStats | undefined> {
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
 * Opens the content of a held object, and verifies that it is that object; for a file held by name, also the content of
 * the file that replaced it. The caller knows that it is a file or folder.
 */
export async function reopen({ at, real, stat, descriptor }: Handle, flags: number): Promise<Reopened> {
  if (descriptor === undefined) return reopenName(real, stat, flags | constants.O_NOFOLLOW)
  // A held folder needs no lookup, and opening it reads nothing.
  const isInstant = stat.isDirectory() && answersAtOnce(real)
  const open = isInstant ? async () => openSync(nativePath(at), flags) : () => openAsync(nativePath(at), flags)
  return statingOpened(open, async fd => {
    const opened = await statOpen(fd, real)
    if (!isSameObject(opened, stat)) throw systemError('ELOOP')
    return opened
  })
}

async function reopenName(real: string, held: BigIntStats, flags: number): Promise<Reopened> {
  let meant = held
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const reopened = await statingOpened(
      () => openAsync(nativePath(real), flags),
      async fd => {
        const stat = await statOpen(fd, '')
        if ((await realOfName(nativePath(real))) !== real) throw systemError('ELOOP')
        return stat
      },
    )
    if (isSameObject(reopened.stat, meant)) return reopened
    closeSync(reopened.descriptor)
    meant = await lstat(nativePath(real), { bigint: true })
    if (!held.isFile() || !meant.isFile()) throw systemError('ELOOP')
  }
  throw systemError('EBUSY')
}

/** Closes what `open` returns again if `statOf` throws. */
async function statingOpened(
  open: () => Promise<number>,
  statOf: (fd: number) => Promise<BigIntStats>,
): Promise<Reopened> {
  const descriptor = await open()
  try {
    return { descriptor, stat: await statOf(descriptor) }
  } catch (thrown) {
    closeSync(descriptor)
    throw thrown
  }
}

/** The path of a name in a held folder, for system calls. */
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

/** The kernel does not report paths longer than PATH_MAX; such objects are held, but lie inside no root. */
function realOf(at: string): string {
  try {
    return readLinkSync(at)
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENAMETOOLONG') return ''
    throw thrown
  }
}

/**
 * Whether an object that was opened by name still has a name. The kernel appends ` (deleted)` to the path of a removed
 * name, but a file may really be called that.
 */
function isThere(real: string, stat: BigIntStats): boolean {
  if (stat.nlink === 0n) return false
  if (!real.endsWith(DELETED)) return true
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
