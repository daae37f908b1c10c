import { crc32 } from 'node:zlib'
import type { SpareFile, SpareFiles } from '../../files/types.ts'

export interface Cached {
  bytes: Buffer
  /** When it was put there, in milliseconds since the epoch. */
  written: number
}

/** Bytes that a file takes at least, so that very many small ones count, too. */
const BLOCK = 4096
/** Bytes behind each content that tell whether it is whole: nothing waits until it is on the disk. */
const SUM = 4
/** Everything is listed again once this share of the budget was put there: others may have done so, too. */
const LISTED_EACH = 1 / 8

/** Nothing has this key. */
const NOBODYS = '0'.repeat(64)

/** What is known of something kept. */
interface Known {
  /** Bytes it takes. */
  cost: number
  /** When it was used last, as far as this process knows; no two at the same time. */
  used: number
}

/**
 * What can be made anew, kept within a budget: what was not used for longest gives way. Several processes may share a
 * place; each may put an eighth of the budget there that the others learn of later.
 */
export class Cache {
  readonly #files: SpareFiles
  readonly #budget: number
  /** Least recently used first. */
  #known = new Map<string, Known>()
  #total = 0
  /** Bytes put there since everything was listed. */
  #unlisted = Number.POSITIVE_INFINITY
  #lastUse = 0
  #roomy: Promise<void> = Promise.resolve()

  /** @param budget bytes of all that is kept */
  constructor(files: SpareFiles, budget: number) {
    this.#files = files
    this.#budget = budget
  }

  /** @param key 32 or more hexadecimal digits, evenly spread @throws AppError as the place does */
  async get(key: string): Promise<Cached | undefined> {
    const found = await this.#files.read(key)
    const bytes = found && checked(found.bytes)
    if (!bytes) return undefined
    this.#use(key, found.bytes.length)
    return { ...found, bytes }
  }

  /** Keeps something, all or nothing; room for it is made later. @throws AppError as the place does, `no_space` among others */
  async put(key: string, bytes: Buffer): Promise<void> {
    const summed = withSum(bytes)
    await this.#files.write(key, summed)
    this.#use(key, summed.length)
    this.#unlisted += costOf(summed.length)
    // What cannot be cleared up now is so after another time.
    this.#roomy = this.#roomy.then(() => this.#makeRoom()).catch(() => {})
  }

  /** Whether the place does what it is asked. */
  answers(): Promise<boolean> {
    return this.#files.read(NOBODYS).then(
      () => true,
      () => false,
    )
  }

  /** Waits until there is room for what was put there. */
  settled(): Promise<void> {
    return this.#roomy
  }

  #use(name: string, size: number): void {
    this.#forget(name)
    this.#lastUse = Math.max(Date.now(), this.#lastUse + 0.001)
    this.#remember(name, { cost: costOf(size), used: this.#lastUse })
  }

  #remember(name: string, known: Known): void {
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

  /** Learns what is there; what was used meanwhile is there in any case. */
  async #list(): Promise<void> {
    const [began, unlisted] = [this.#lastUse, this.#unlisted]
    const found = new Map<string, SpareFile>()
    for await (const files of this.#files.list()) for (const file of files) found.set(file.name, file)
    const before = this.#known
    const all = [...found.values()].map(({ name, size, written }): [string, Known] => [
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

/** `undefined` for what is not whole. */
function checked(bytes: Buffer): Buffer | undefined {
  const end = bytes.length - SUM
  const content = bytes.subarray(0, Math.max(0, end))
  return end >= 0 && bytes.readUInt32LE(end) === crc32(content) ? content : undefined
}
