import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type FilePath, parsePath, ROOT, trustedChild } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { CacheStore, Entry, StorageDriver } from './driver.ts'
import { writeFile } from './write-file.ts'

const FOLDER = /^[0-9a-f]{2}$/
const FILE = /^[0-9a-f]{30,}$/

/** A cache store inside a driver: files in 256 folders. */
export function cacheIn(store: StorageDriver): CacheStore {
  return {
    read: name => readWhole(store, placeOf(name)),
    async write(name, bytes) {
      await writeFile(store, placeOf(name), Readable.from([bytes]), { length: bytes.length })
    },
    async *list() {
      for (const folder of await childrenOf(store, ROOT, 'folder', FOLDER)) {
        const files = await childrenOf(store, folder.path, 'file', FILE)
        yield files.map(({ name, size, modified }) => ({ name: folder.name + name, size, written: modified }))
      }
    },
    async remove(names) {
      for (const name of names) await store.remove(placeOf(name)).catch(fineIfGone)
    },
  }
}

async function readWhole(store: StorageDriver, path: FilePath) {
  try {
    const file = await store.read(path)
    try {
      return { bytes: await buffer(file.stream()), written: file.entry.modified }
    } finally {
      await file.close()
    }
  } catch (thrown) {
    return fineIfGone(thrown)
  }
}

async function childrenOf(store: StorageDriver, folder: FilePath, kind: Entry['kind'], name: RegExp): Promise<Entry[]> {
  const all: Entry[] = []
  for await (const batch of store.list(folder)) all.push(...batch)
  return all.filter(entry => entry.kind === kind && name.test(entry.name))
}

function fineIfGone(thrown: unknown): undefined {
  if (!(thrown instanceof AppError) || thrown.code !== 'not_found') throw thrown
}

/** The path of a cached file. */
export const placeOf = (name: string): FilePath => trustedChild(parsePath(`/${name.slice(0, 2)}`), name.slice(2))
