import { randomBytes } from 'node:crypto'
import { close, constants, mkdir, open, rename, unlink, write } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { placeOf, spareIn } from '../cache-in-driver.ts'
import type { SpareFiles, StorageDriver } from '../driver.ts'
import { turnsAt } from './disk-watchdog.ts'
import { errnoOf, translated } from './errno.ts'
import { Content } from './file-descriptor.ts'
import { statOpen } from './handle.ts'
import { nativePath, textFrom } from './native-path.ts'

const openAsync = promisify(open)
const writeAsync = promisify(write)
const renameAsync = promisify(rename)
const mkdirAsync = promisify(mkdir)
const unlinkAsync = promisify(unlink)
const closeAsync = promisify(close)

/** A file on its way to its name. */
const NEW = /^new-[0-9a-f]{16}$/
/** Milliseconds after which nobody is writing it any more: its process was killed. */
const FORGOTTEN = 24 * 3_600_000

/**
 * Keeps them in a folder that nobody else writes to, so that no way there has to be held: a miss is one call to the disk, and
 * keeping one four, none of which waits until something is on it.
 * @param store the folder as a store
 * @param place where that folder is
 */
export async function spareInFolder(store: StorageDriver, place: string): Promise<SpareFiles> {
  const folder = textFrom(await realpath(place, 'buffer'))
  const others = spareIn(store)
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

async function openContent(path: string): Promise<Content | undefined> {
  try {
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW
    return await turnsAt(path).take(async () => new Content(await openAsync(nativePath(path), flags), path))
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
