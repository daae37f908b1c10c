import { crc32 } from 'node:zlib'
import type { CachedFile, CacheStore } from '../../files/types.ts'

export interface Cached {
  bytes: Buffer
  /** When it was stored, in milliseconds since the epoch. */
  written: number
}

/** The smallest cost of a file in bytes, so that very many small ones count, too. */
const BLOCK = 4096
/** Bytes of the checksum after each content: writes are not synced to disk. */
const SUM = 4
/** The store is listed again once this share of the budget was written: other processes may have written, too. */
const LISTED_EACH = 1 / 8

/** A key that no item has. */
const UNUSED_KEY = '0'.repeat(64)

/** What is known of a cached item. */
interface KnownItem {
  /** Bytes it occupies. */
  cost: number
  /** When it was last used, as far as this process knows; unique. */
  used: number
}

/**
 * An LRU cache of reproducible files within a budget. Several processes may share a place; each may write an eighth of
 * the budget before it sees the files of the others.
 */
export class Cache {
  readonly #files: CacheStore
  readonly #budget: number
  /** Least recently used first. */
  #known = new Map<string, KnownItem>()
  #total = 0
  /** Bytes written since the last listing. */
  #unlisted = Number.POSITIVE_INFINITY
  #lastUse = 0
  #roomy: Promise<void> = Promise.resolve()

  /** @param budget bytes of all items */
  constructor(files: CacheStore, budget: number) {
    this.#files = files
    this.#budget = budget
  }

  /** @param key 32 or more hexadecimal digits, evenly distributed @throws AppError as the store does */
  async get(key: string): Promise<Cached | undefined> {
    const found = await this.#files.read(key)
    const bytes = found && checked(found.bytes)
    if (!bytes) return undefined
    this.#use(key, found.bytes.length)
    return { ...found, bytes }
  }

  /**
   * Stores an item, all or nothing; eviction follows later. @throws AppError as the store does, `no_space` among others
   */
  async put(key: string, bytes: Buffer): Promise<void> {
    const summed = withSum(bytes)
    await this.#files.write(key, summed)
    this.#use(key, summed.length)
    this.#unlisted += costOf(summed.length)
    // A failed eviction is retried after a later write.
    this.#roomy = this.#roomy.then(() => this.#makeRoom()).catch(() => {})
  }

  /** Whether the store works. */
  answers(): Promise<boolean> {
    return this.#files.read(UNUSED_KEY).then(
      () => true,
      () => false,
    )
  }

  /** Waits for the eviction. */
  settled(): Promise<void> {
    return this.#roomy
  }

  #use(name: string, size: number): void {
    this.#forget(name)
    this.#lastUse = Math.max(Date.now(), this.#lastUse + 0.001)
    this.#remember(name, { cost: costOf(size), used: this.#lastUse })
  }

  #remember(name: string, known: KnownItem): void {
    this.#known.set(name, known)
    this.#total += known.cost
  }

  #forget(name: string): void {
    this.#total -= this.#known.get(name)?.cost ?? 0
    this.#known.delete(name)
  }

  async #makeRoom(): Promise<void> {
    if (this.#unlisted > this.#budget * LISTED_EACH) await this.#list()
    const gone: string[] = []
    for (const name of this.#known.keys()) {
      if (this.#total <= this.#budget) break
      this.#forget(name)
      gone.push(name)
    }
    if (gone.length > 0) await this.#files.remove(gone)
  }

  /** Lists the store; items used in the meantime are kept in any case. */
  async #list(): Promise<void> {
    const [began, unlisted] = [this.#lastUse, this.#unlisted]
    const found = new Map<string, CachedFile>()
    for await (const files of this.#files.list()) for (const file of files) found.set(file.name, file)
    const before = this.#known
    const all = [...found.values()].map(({ name, size, written }): [string, KnownItem] => [
      name,
      before.get(name) ?? { cost: costOf(size), used: written },
    ])
    all.push(...[...before].filter(([name, { used }]) => used > began && !found.has(name)))
    all.sort(([, one], [, other]) => one.used - other.used)
    this.#known = new Map()
    this.#total = 0
    for (const [name, known] of all) this.#remember(name, known)
    this.#unlisted = unlisted === Number.POSITIVE_INFINITY ? 0 : this.#unlisted - unlisted
  }
}

const costOf = (size: number) => Math.ceil(size / BLOCK) * BLOCK

function withSum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(SUM)
  sum.writeUInt32LE(crc32(bytes))
  return Buffer.concat([bytes, sum])
}

/** `undefined` for a file that is not whole. */
function checked(bytes: Buffer): Buffer | undefined {
  const end = bytes.length - SUM
  const content = bytes.subarray(0, Math.max(0, end))
  return end >= 0 && bytes.readUInt32LE(end) === crc32(content) ? content : undefined
}
