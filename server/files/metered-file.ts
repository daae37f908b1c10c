import type { FilePath } from '../../shared/path.ts'
import { asAppError } from '../errors.ts'
import { type Amount, amountOfFile, minus, NOTHING, plus, positive } from '../lib/amount.ts'
import type { Entry, Published, PublishOptions, ResumableFile, StagedFile } from '../storage/driver.ts'
import { makingFolders } from './metered-folders.ts'
import type { MeteredPlaces } from './metered-places.ts'
import type { Metering, Reservation } from './metering.ts'

/** Bytes that a file of unknown length reserves at a time. */
const STEP = 8 * 1024 * 1024
/** Attempts when a file is replaced by another writer while it is being published. */
const ATTEMPTS = 5

/** How a file reaches a folder with a quota. */
export interface MeteredWrite {
  places: MeteredPlaces
  metering: Metering
  path: FilePath
  reservation: Reservation
  /** What is reserved so far. */
  taken: Amount
  /** Bytes that the replaced file gives back. */
  credit: number
  /** A file of a folder that is still hidden: it counts when the folder is published. */
  hidden: boolean
}

/** A staged file that reserves room before it takes bytes, and settles what it added. */
export class MeteredFile implements ResumableFile {
  readonly #inner: ResumableFile
  readonly #write: MeteredWrite
  readonly share?: NonNullable<StagedFile['share']>

  constructor(inner: StagedFile, write: MeteredWrite) {
    this.#inner = inner as ResumableFile
    this.#write = write
    if (inner.share) {
      this.share = async (file, copying) => {
        await this.#demand(file.entry.size)
        return (inner as Required<StagedFile>).share(file, copying)
      }
    }
  }

  get size(): number {
    return this.#inner.size
  }

  get name(): string {
    return this.#inner.name
  }

  get durable(): number {
    return this.#inner.durable
  }

  async append(chunk: Buffer): Promise<void> {
    await this.#demand(this.#inner.size + chunk.length)
    return this.#inner.append(chunk)
  }

  flush(): Promise<void> {
    return this.#inner.flush()
  }

  truncate(size: number): Promise<void> {
    return this.#inner.truncate(size)
  }

  read(): AsyncIterable<Buffer> {
    return this.#inner.read()
  }

  async publish(path: FilePath, how: PublishOptions): Promise<Published> {
    if (this.#write.hidden) return this.#inner.publish(path, how)
    const entry = await publishCounted(this.#write, path, { ...how, size: this.#inner.size }, pinned =>
      this.#inner.publish(path, pinned),
    )
    await this.#write.reservation.end()
    return entry
  }

  async close(): Promise<void> {
    await this.#inner.close()
    if (!this.#write.hidden) await this.#write.reservation.end()
  }

  /** Reserves room for a size of the file, in steps while they fit. @throws quota_exceeded */
  async #demand(size: number): Promise<void> {
    const write = this.#write
    const lacks = size - write.credit - write.taken.bytes
    if (lacks <= 0) return
    const meters = await write.places.over(write.path)
    const step = Math.max(lacks, STEP)
    try {
      await write.reservation.take(meters, { bytes: step, items: 0 })
      write.taken = plus(write.taken, { bytes: step, items: 0 })
    } catch (thrown) {
      if (asAppError(thrown).code !== 'quota_exceeded' || step === lacks) throw thrown
      await write.reservation.take(meters, { bytes: lacks, items: 0 })
      write.taken = plus(write.taken, { bytes: lacks, items: 0 })
    }
  }
}

interface Publication extends PublishOptions {
  /** Bytes of the new file. */
  size: number
}

/**
 * Publishes a file and notes what it added. It replaces exactly the file whose size it subtracts: where another writer
 * is quicker, the size of that one's file counts.
 * @throws quota_exceeded, and as `StagedFile.publish`
 */
export async function publishCounted(
  about: Pick<MeteredWrite, 'places' | 'metering' | 'reservation' | 'taken'>,
  path: FilePath,
  { size, ...how }: Publication,
  publish: (how: PublishOptions) => Promise<Published>,
): Promise<Published> {
  const { places, reservation, taken } = about
  let reserved = taken
  const isOurs = !how.ifAbsent && (how.ifMatch === undefined || how.ifMatch === '*')
  for (let attempt = 1; ; attempt += 1) {
    const standing = await places.standing(path)
    const replaced = standing?.kind === 'file' ? amountOfFile(standing.size) : NOTHING
    const meters = await places.over(standing?.canonical ?? path)
    const lacks = positive(minus(minus(amountOfFile(size), replaced), reserved))
    await reservation.take(meters, lacks)
    reserved = plus(reserved, lacks)
    try {
      const act = () => publish(isOurs ? { ...how, ...only(standing, how) } : how)
      const entry = await (standing ? act() : makingFolders(about, path, act))
      reservation.add(meters, minus(amountOfFile(entry.size), replaced))
      return entry
    } catch (thrown) {
      const { code } = asAppError(thrown)
      const isOther = code === 'exists' || code === 'precondition_failed'
      if (!isOurs || !isOther || attempt === ATTEMPTS || !(await hasChanged(places, path, standing))) throw thrown
    }
  }
}

function only(standing: Entry | undefined, { ifMatch }: PublishOptions): PublishOptions {
  if (standing?.kind === 'file') return { ifMatch: standing.version }
  return standing || ifMatch !== undefined ? {} : { ifAbsent: true }
}

async function hasChanged(places: MeteredPlaces, path: FilePath, before: Entry | undefined): Promise<boolean> {
  return (await places.standing(path))?.version !== before?.version
}
