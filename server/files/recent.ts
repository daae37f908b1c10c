import type { FilePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import { mapLimit } from '../lib/limit.ts'
import type { Entry } from '../storage/driver.ts'
import type { MarkOwner, RecentTimes } from './mark-records.ts'
import type { Objects, SeenObject } from './objects.ts'

/** Entries that are looked up at a time. */
const LOOKUPS = 16

/** A file or folder that the user opened or changed. */
export type SeenRecent = SeenObject & RecentTimes

/** What one user opened and changed last. Other users have no access to it. */
export class Recent {
  readonly #info: (path: FilePath) => Promise<Entry>
  readonly #objects: Objects
  readonly #owner: MarkOwner | undefined

  /** @param info the entry at a path, with all checks */
  constructor(info: (path: FilePath) => Promise<Entry>, objects: Objects, owner: MarkOwner | undefined) {
    this.#info = info
    this.#objects = objects
    this.#owner = owner
  }

  /** What is still there and may be seen, in no order. */
  async list(): Promise<SeenRecent[]> {
    const { records, id } = this.#demandOwner()
    const recent = await records.recent(id)
    const found = await mapLimit(recent, LOOKUPS, async object => {
      const seen = await this.#objects.find(records, object, { trash: false })
      return seen && { ...seen, ...timesOf(object) }
    })
    const seen = found.filter(item => item !== undefined)
    const here = new Set(seen.map(item => item.id))
    await records.seen(recent.filter(object => here.has(object.id)))
    return seen
  }

  /** When the user opened or changed the entry at a path. @throws not_found, forbidden */
  async of(path: FilePath): Promise<SeenRecent[]> {
    const { records, id } = this.#demandOwner()
    const entry = await this.#info(path)
    // First what is still to be written.
    const recent = await records.recent(id)
    const object = await this.#objects.of(records, entry)
    const known = recent.find(item => item.id === object?.id)
    if (!known) return []
    return [{ id: known.id, path, entry, ...timesOf(known) }]
  }

  /** Notes that the user opened a file, unless the user does not want that. @throws not_found, forbidden */
  async opened(path: FilePath): Promise<void> {
    const { records, id } = this.#demandOwner()
    const entry = await this.#info(path)
    if (entry.kind === 'folder') throw new AppError('is_a_folder')
    records.opened(id, { identity: entry.identity, place: this.#objects.placeOf(entry) })
  }

  clear(): Promise<void> {
    const { records, id } = this.#demandOwner()
    return records.clearRecent(id)
  }

  remembers(): Promise<boolean> {
    const { records, id } = this.#demandOwner()
    return records.remembers(id)
  }

  remember(isOn: boolean): Promise<void> {
    const { records, id } = this.#demandOwner()
    return records.remember(id, isOn)
  }

  #demandOwner(): MarkOwner {
    if (!this.#owner) throw new AppError('unsupported')
    return this.#owner
  }
}

const timesOf = ({ openedAt, changedAt }: RecentTimes): RecentTimes => ({
  ...(openedAt !== undefined && { openedAt }),
  ...(changedAt !== undefined && { changedAt }),
})
