import { randomBytes } from 'node:crypto'
import { close, constants, mkdir, open, rename, unlink, write } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { cacheIn, placeOf } from '../cache-in-driver.ts'
import type { CacheStore, StorageDriver } from '../driver.ts'
import { watchdogOf } from './disk-watchdog.ts'
import { errnoOf, translated } from './errno.ts'
import { FileDescriptor } from './file-descriptor.ts'
import { statOpen } from './handle.ts'
import { nativePath, textFrom } from './native-path.ts'

const openAsync = promisify(open)
const writeAsync = promisify(write)
const renameAsync = promisify(rename)
const mkdirAsync = promisify(mkdir)
const unlinkAsync = promisify(unlink)
const closeAsync = promisify(close)

/** A file being written. */
const NEW = /^new-[0-9a-f]{16}$/
/** Milliseconds after which its writer counts as killed. */
const FORGOTTEN = 24 * 3_600_000

/**
 * A cache store in a folder that no other program writes to, so that paths need not be held: a miss takes one system
 * call, a write four, none of which waits for a flush.
 * @param store the folder as a store
 * @param place the real path of the folder
 */
export async function cacheInFolder(store: StorageDriver, place: string): Promise<CacheStore> {
  const folder = textFrom(await realpath(place, 'buffer'))
  const others = cacheIn(store)
  return {
    read: name => readWhole(join(folder, placeOf(name))),
    async write(name, bytes) {
      const at = join(folder, `new-${randomBytes(8).toString('hex')}`)
      try {
        await writeNew(at, bytes)
        await publish(at, join(folder, placeOf(name)))
      } catch (thrown) {
        await unlinkAsync(nativePath(at)).catch(() => {})
        throw translated(thrown)
      }
    },
    async *list() {
      await removeForgotten(store)
      yield* others.list()
    },
    remove: names => others.remove(names),
  }
}

async function readWhole(path: string) {
  const content = await openContent(path)
  if (!content) return undefined
  try {
    const { size, mtimeMs } = await statOpen(content.descriptor, path)
    const bytes = Buffer.allocUnsafeSlow(Number(size))
    let filled = 0
    while (filled < bytes.length) {
      const count = await content.read(bytes.subarray(filled), filled)
      if (count === 0) break
      filled += count
    }
    return { bytes: bytes.subarray(0, filled), written: Number(mtimeMs) }
  } catch (thrown) {
    throw translated(thrown)
  } finally {
    await content.close()
  }
}

async function openContent(path: string): Promise<FileDescriptor | undefined> {
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW
    return await watchdogOf(path).take(async () => new FileDescriptor(await openAsync(nativePath(path), flags), path))
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOENT') return undefined
    throw thrown instanceof AppError ? thrown : translated(thrown)
  }
}

async function writeNew(at: string, bytes: Buffer): Promise<void> {
  const descriptor = await openAsync(nativePath(at), 'wx', 0o600)
  try {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await writeAsync(descriptor, bytes, done, bytes.length - done, done)
      done += bytesWritten
    }
  } finally {
    await closeAsync(descriptor)
  }
}

async function publish(from: string, to: string): Promise<void> {
  try {
    await renameAsync(nativePath(from), nativePath(to))
  } catch (thrown) {
    if (errnoOf(thrown) !== 'ENOENT') throw thrown
    await mkdirAsync(nativePath(dirname(to)), { recursive: true, mode: 0o700 })
    await renameAsync(nativePath(from), nativePath(to))
  }
}

async function removeForgotten(store: StorageDriver): Promise<void> {
  for await (const entries of store.list(ROOT)) {
    for (const { name, path, kind, modified } of entries) {
      const isForgotten = kind === 'file' && NEW.test(name) && Date.now() - modified > FORGOTTEN
      if (isForgotten) await store.remove(path).catch(() => {})
    }
  }
}
