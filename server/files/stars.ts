import { type FilePath, nameOf, parentOf, ROOT } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import { mapLimit } from '../lib/limit.ts'
import { LIMITS } from '../limits.ts'
import type { Entry } from '../storage/driver.ts'
import type { MarkOwner } from './mark-records.ts'
import type { MarkedObject } from './marked-object.ts'
import type { Objects, SeenObject } from './objects.ts'

/** Entries that are looked up at a time. */
const LOOKUPS = 16

/** The files and folders that one user starred. A star follows its object through moves, saves, trash and restore. */
export class Stars {
  readonly #info: (path: FilePath) => Promise<Entry>
  readonly #objects: Objects
  readonly #owner: MarkOwner | undefined

  /** @param info the entry at a path, with all checks */
  constructor(info: (path: FilePath) => Promise<Entry>, objects: Objects, owner: MarkOwner | undefined) {
    this.#info = info
    this.#objects = objects
    this.#owner = owner
  }

  /** What the user starred and may see, in the user's order. */
  async list(): Promise<SeenObject[]> {
    const { records, id } = this.#demandOwner()
    const stars = await records.stars(id)
    const found = await mapLimit(stars, LOOKUPS, star => this.#objects.find(records, star, { trash: true }))
    const seen = found.filter(star => star !== undefined)
    const here = new Set(seen.filter(({ trash }) => !trash).map(star => star.id))
    await records.seen(stars.filter(star => here.has(star.id)))
    return seen
  }

  /** @throws not_found, forbidden, and exists when the user has too many stars */
  async add(path: FilePath): Promise<void> {
    const { records, id } = this.#demandOwner()
    if (path === ROOT) throw new AppError('bad_request', 'the root cannot be starred')
    const entry = await this.#info(path)
    const object = await this.#objects.made(records, entry)
    const stars = await records.stars(id)
    if (stars.some(star => star.id === object)) return
    if (stars.length >= LIMITS.stars && !(await this.#dropLost(stars)))
      throw new AppError('exists', `only ${LIMITS.stars} items can be starred`)
    await records.star(id, object)
  }

  /**
   * Removes the star of an entry; without a star there is nothing to do.
   * @param object of the star; otherwise it is found by the path
   */
  async remove(path: FilePath, object?: string): Promise<void> {
    const { records, id } = this.#demandOwner()
    await records.unstar(id, object === undefined ? await this.#starredAt(path) : [object])
  }

  /** Moves stars to the front in an order; others follow in theirs. */
  async order(objects: readonly string[]): Promise<void> {
    const { records, id } = this.#demandOwner()
    const had = (await records.stars(id)).map(star => star.id)
    const first = [...new Set(objects)].filter(object => had.includes(object))
    await records.order(id, [...first, ...had.filter(object => !first.includes(object))])
  }

  /** The names of the starred entries in a folder. @throws not_found, not_a_folder, forbidden */
  async marksIn(folder: FilePath): Promise<string[]> {
    const { records, id } = this.#demandOwner()
    const entry = await this.#info(folder)
    if (entry.kind !== 'folder') throw new AppError('not_a_folder')
    const place = this.#objects.placeOf(entry)
    const stars = (await records.stars(id)).filter(star => parentOf(star.place) === place)
    const found = await mapLimit(stars, LOOKUPS, star => this.#objects.find(records, star, { trash: false }))
    return found.flatMap(star => (star ? [nameOf(star.path)] : []))
  }

  /** Removes stars whose items have not been found for long. A disk may be away for a while. @returns whether it did */
  async #dropLost(stars: readonly MarkedObject[]): Promise<boolean> {
    const { records, id } = this.#demandOwner()
    const seen = new Set((await this.list()).map(star => star.id))
    const lost = stars.filter(star => !seen.has(star.id) && star.seenAt < Date.now() - LIMITS.starLost)
    await records.unstar(
      id,
      lost.map(star => star.id),
    )
    return lost.length > 0
  }

  async #starredAt(path: FilePath): Promise<string[]> {
    const { records, id } = this.#demandOwner()
    const stars = await records.stars(id)
    const entry = await this.#info(path).catch(() => undefined)
    const object = entry && (await this.#objects.of(records, entry))
    if (stars.some(star => star.id === object?.id)) return object ? [object.id] : []
    const place = this.#objects.placeOf(entry ?? { canonical: path })
    return stars.filter(star => star.place === place).map(star => star.id)
  }

  #demandOwner(): MarkOwner {
    if (!this.#owner) throw new AppError('unsupported')
    return this.#owner
  }
}
