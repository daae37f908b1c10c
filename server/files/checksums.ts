import type { FilePath } from '../../shared/path.ts'
import { digestOfFile } from '../checksums/checksum.ts'
import { isReadError } from '../checksums/read-error.ts'
import type { Entry, OpenFile } from '../storage/driver.ts'
import type { Base } from './base.ts'
import type { FilesContext } from './changes.ts'
import { demandSeen } from './policy.ts'

/** The fields of an entry by which a known checksum is recognised. */
export type SummedEntry = Pick<Entry, 'identity' | 'size' | 'modified' | 'version'>

/** How a checksum became known. */
export type SumSource = 'upload' | 'scrub' | 'demand'

/** The SHA-256 of a whole content. */
export interface ReadSum {
  entry: SummedEntry
  /** In the served root. */
  place: FilePath
  sha256: string
  source: SumSource
}

/**
 * What a content is next to the known one. `new`: none was known, or the file was changed since. `rotten`: neither its
 * size nor its times have changed, but its bytes; `quiet`: its change time has, too.
 */
export type SumVerdict = 'new' | 'same' | 'rotten' | 'quiet'

/** The known checksums; see `server/integrity`. */
export interface SumRecords {
  /** The checksum of a file whose size and modification time are as recorded, and that nothing is wrong with. */
  known(entry: SummedEntry): Promise<string | undefined>
  /** Compares a content with the known one, and records it; a difference becomes a finding. Not durable at once. */
  note(read: ReadSum): Promise<SumVerdict>
  /** Records a file whose bytes the disk does not return. */
  unreadable(read: Pick<ReadSum, 'entry' | 'place'>): Promise<void>
}

/**
 * A file that was changed so short a time before may change again without another time: its checksum is not recorded.
 * In milliseconds.
 */
const TOO_NEW = 2000

/** SHA-256 checksums of one user's files: read, recorded, and known from before. */
export class Checksums {
  readonly #context: FilesContext
  readonly #base: Base
  readonly #records: SumRecords | undefined

  /** @param base the scope's place in the served root @param records nothing where no checksums are recorded */
  constructor(context: FilesContext, base: Base, records: SumRecords | undefined) {
    this.#context = context
    this.#base = base
    this.#records = records
  }

  /**
   * The checksum of a file, in hexadecimal: the known one if the file's size and time are those of then.
   * @param how `fresh`: the content is read in any case
   * @throws forbidden without the right to read, and as `StorageDriver.read`
   */
  async of(path: FilePath, signal: AbortSignal, { fresh = false } = {}): Promise<string> {
    return (await this.#read(path, signal, fresh)).sha256
  }

  /** Reads a file and compares it with the known checksum. @throws as `of` */
  async verify(path: FilePath, signal: AbortSignal): Promise<SumVerdict> {
    return (await this.#read(path, signal, true)).verdict
  }

  /** The checksum of an open file, always read. */
  async ofOpen(file: OpenFile, signal: AbortSignal): Promise<string> {
    return (await this.#digest(file, signal)).sha256
  }

  /** Records the checksum of a content that was verified while it arrived. */
  async arrived(entry: Entry, sha256: string): Promise<void> {
    await this.#records?.note({ entry, place: this.#placeOf(entry), sha256, source: 'upload' })
  }

  async #read(path: FilePath, signal: AbortSignal, fresh: boolean): Promise<{ sha256: string; verdict: SumVerdict }> {
    demandSeen(this.#context.policy, path, 'read')
    const file = await this.#context.store.read(path)
    try {
      const known = fresh ? undefined : await this.#records?.known(file.entry)
      return known === undefined ? await this.#digest(file, signal) : { sha256: known, verdict: 'same' }
    } finally {
      await file.close()
    }
  }

  async #digest(file: OpenFile, signal: AbortSignal): Promise<{ sha256: string; verdict: SumVerdict }> {
    const { entry } = file
    const sha256 = await digestOfFile(file, 'sha256', signal).catch(async thrown => {
      if (isReadError(thrown)) await this.#records?.unreadable({ entry, place: this.#placeOf(entry) })
      throw thrown
    })
    const isSettled = Math.abs(Date.now() - entry.modified) > TOO_NEW
    if (!this.#records || !isSettled) return { sha256, verdict: 'new' }
    const after = await this.#context.store.stat(entry.path).catch(() => undefined)
    if (after?.version !== entry.version) return { sha256, verdict: 'new' }
    const verdict = await this.#records.note({ entry, place: this.#placeOf(entry), sha256, source: 'demand' })
    return { sha256, verdict }
  }

  #placeOf({ canonical }: Entry): FilePath {
    return this.#base.placeOf(canonical)
  }
}
