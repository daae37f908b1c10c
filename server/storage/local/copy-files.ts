import {
  closeSync,
  constants,
  fchmodSync,
  fsync,
  futimesSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { type FilePath, nameOf, parentOf } from '../../../shared/path.ts'
import { Semaphore } from '../../lib/limit.ts'
import { type CopyRequest, LARGEST_IN_BATCH } from '../batch.ts'
import { below, type Handle, holdExactlySync } from './handle.ts'
import { timeOf } from './stat-fields.ts'

/** Files to copy. Both roots are real paths. */
export interface FilesToCopy {
  root: string
  tree: string
  requests: readonly CopyRequest[]
}

/** Concurrent flushes. */
const FLUSHED_AT_ONCE = 8
/** Files copied before ended flushes are replaced by the next ones. */
const COPIED_AT_ONCE = 8

const flush = promisify(fsync)
const nextTurn = promisify(setImmediate)
/** One byte more than the largest file, to detect one that grew. */
const memory = Buffer.allocUnsafeSlow(LARGEST_IN_BATCH + 1)

/** Flushes use the thread pool that all file operations share. */
const flushing = new Semaphore(FLUSHED_AT_ONCE)

/**
 * Copies small files with synchronous calls, and flushes all files of a request together: writes that are flushed
 * together share the journal of the file system. The next request is written during the flushes.
 * @returns whether each file was copied
 */
export async function copyFiles({ root, tree, requests }: FilesToCopy): Promise<boolean[]> {
  const folders = new Map<FilePath, Handle>()
  const copies: (Copy | undefined)[] = []
  try {
    for (const request of requests) {
      copies.push(attempt(() => copyOne(root, request, folderOf(tree, parentOf(request.to), folders))))
      if (copies.length % COPIED_AT_ONCE === 0) await nextTurn()
    }
    await Promise.all(copies.filter(copy => copy !== undefined).map(flushFile))
    const kept = await flushFolders(folders)
    return copies.map(copy => kept && copy?.whole === true)
  } finally {
    for (const folder of folders.values()) folder.close()
  }
}

/** `undefined` on failure: the caller repeats the operation and gets the error. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

interface Copy {
  fd: number
  /** Whether the flush succeeded. */
  whole: boolean
}

/** Holds a folder of the staged tree, without following links. */
function folderOf(tree: string, path: FilePath, held: Map<FilePath, Handle>): Handle {
  const known = held.get(path)
  if (known) return known
  const folder = holdExactlySync(path === '/' ? tree : `${tree}${path}`)
  held.set(path, folder)
  return folder
}

function copyOne(root: string, { from, to }: CopyRequest, folder: Handle): Copy {
  const source = holdExactlySync(`${root}${from}`)
  try {
    const { size, mode, mtimeNs } = source.stat
    if (!source.stat.isFile() || size > LARGEST_IN_BATCH) throw new Error('not a small file')
    const content = contentOf(source, Number(size))
    const at = below(folder, nameOf(to))
    const flags = constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | constants.O_NOFOLLOW
    const fd = openSync(at, flags, 0o600)
    try {
      for (let done = 0; done < content.length; ) done += writeSync(fd, content, done)
      fchmodSync(fd, Number(mode) & 0o777)
      futimesSync(fd, new Date(), timeOf(Number(mtimeNs) / 1e6))
      return { fd, whole: false }
    } catch (thrown) {
      closeSync(fd)
      unlinkSync(at)
      throw thrown
    }
  } finally {
    source.close()
  }
}

function contentOf(source: Handle, size: number): Buffer {
  const fd = openSync(source.at, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    let count = 0
    for (let read = -1; read !== 0 && count <= size; count += read)
      read = readSync(fd, memory, count, size + 1 - count, null)
    if (count !== size) throw new Error('the file changed its size')
    return memory.subarray(0, size)
  } finally {
    closeSync(fd)
  }
}

/** Flushes and closes a file. */
async function flushFile(copy: Copy): Promise<void> {
  copy.whole = await flushing.run(() =>
    flush(copy.fd).then(
      () => true,
      () => false,
    ),
  )
  closeSync(copy.fd)
}

/** Flushes folders; some file systems do not support this. */
async function flushFolders(folders: ReadonlyMap<FilePath, Handle>): Promise<boolean> {
  const unable = new Set(['EINVAL', 'ENOTSUP', 'EACCES'])
  for (const { at } of folders.values()) {
    const fd = attempt(() => openSync(at, constants.O_RDONLY | constants.O_DIRECTORY))
    if (fd === undefined) continue
    const failure = await flush(fd).catch((thrown: NodeJS.ErrnoException) => thrown)
    closeSync(fd)
    if (failure && !unable.has(failure.code ?? '')) return false
  }
  return true
}
