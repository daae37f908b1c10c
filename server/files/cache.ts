import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { type FilePath, parsePath, ROOT, trustedChild } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'

export interface Cached {
  bytes: Buffer
  /** When it was put there, in milliseconds since the epoch. */
  written: number
}

/** Bytes that a file takes at least, so that very many small ones count, too. */
const BLOCK = 4096
/** Bytes behind each content that tell whether it is whole: nothing waits until it is on the disk. */
const SUM = 4
const FOLDER = /^[0-9a-f]{2}$/
const FILE = /^[0-9a-f]{30,}$/

/**
 * What can be made anew, kept in a store within a budget: what was not used for longest gives way. Other things in the
 * store are left alone. Several processes may share one.
 */
export class Cache {
  readonly #store: StorageDriver
  readonly #budget: number
  /** Bytes by place, least recently used first; found in the store when it is first needed. */
  #sizes: Promise<Map<FilePath, number>> | undefined
  #total = 0

  /** @param budget bytes of all that is kept */
  constructor(store: StorageDriver, budget: number) {
    this.#store = store
    this.#budget = budget
  }

  /** @param key 32 or more hexadecimal digits, evenly spread */
  async get(key: string): Promise<Cached | undefined> {
    const path = placeOf(key)
    const found = await this.#read(path)
    const bytes = found && checked(found.bytes)
    if (!bytes) return undefined
    await this.#count(path, found.bytes.length)
    return { ...found, bytes }
  }

  /** Keeps something, all or nothing. @throws AppError as the store does, `no_space` among others */
  async put(key: string, bytes: Buffer): Promise<void> {
    const path = placeOf(key)
    const summed = withSum(bytes)
    await this.#store.write(path, Readable.from([summed]), { length: summed.length, isSpare: true })
    await this.#count(path, summed.length)
    await this.#makeRoom()
  }

  async #read(path: FilePath): Promise<Cached | undefined> {
    try {
      const file = await this.#store.read(path)
      try {
        return { bytes: await buffer(file.stream()), written: file.entry.modified }
      } finally {
        await file.close()
      }
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code === 'not_found') return undefined
      throw thrown
    }
  }

  /** Notes that something was used just now. */
  async #count(path: FilePath, size: number): Promise<void> {
    const sizes = await this.#known()
    const cost = Math.ceil(size / BLOCK) * BLOCK
    this.#total += cost - (sizes.get(path) ?? 0)
    sizes.delete(path)
    sizes.set(path, cost)
  }

  async #makeRoom(): Promise<void> {
    const sizes = await this.#known()
    for (const [path, cost] of sizes) {
      if (this.#total <= this.#budget) return
      sizes.delete(path)
      this.#total -= cost
      // Another process may have removed it already.
      await this.#store.remove(path).catch(() => {})
    }
  }

  #known(): Promise<Map<FilePath, number>> {
    this.#sizes ??= this.#find()
    return this.#sizes
  }

  async #find(): Promise<Map<FilePath, number>> {
    const found: Entry[] = []
    for (const { path } of await this.#children(ROOT, 'folder', FOLDER)) {
      found.push(...(await this.#children(path, 'file', FILE)))
    }
    found.sort((a, b) => a.modified - b.modified)
    const sizes = found.map(({ path, size }): [FilePath, number] => [path, Math.ceil(size / BLOCK) * BLOCK])
    this.#total = sizes.reduce((sum, [, cost]) => sum + cost, 0)
    return new Map(sizes)
  }

  async #children(folder: FilePath, kind: Entry['kind'], name: RegExp): Promise<Entry[]> {
    const all: Entry[] = []
    for await (const batch of this.#store.list(folder)) all.push(...batch)
    return all.filter(entry => entry.kind === kind && name.test(entry.name))
  }
}

function withSum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(SUM)
  sum.writeUInt32LE(crc32(bytes))
  return Buffer.concat([bytes, sum])
}

/** `undefined` for what is not whole. */
function checked(bytes: Buffer): Buffer | undefined {
  const end = bytes.length - SUM
  const content = bytes.subarray(0, Math.max(0, end))
  return end >= 0 && bytes.readUInt32LE(end) === crc32(content) ? content : undefined
}

const placeOf = (key: string): FilePath => trustedChild(parsePath(`/${key.slice(0, 2)}`), key.slice(2))
