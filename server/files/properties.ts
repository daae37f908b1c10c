import { type FilePath, joinPath, parentOf, ROOT } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import type { Base } from './base.ts'
import type { Changes } from './changes.ts'
import { pathMapper } from './path-mapper.ts'
import type { Policy } from './policy.ts'
import type { PlacedProperty, Property, PropertyChange, PropertyOwner, PropertyRecords } from './property-records.ts'

interface PropertiesContext {
  store: StorageDriver
  policy: Policy
  changes: Changes
  /** The entry at a path, with all checks. */
  info(path: FilePath): Promise<Entry>
  /** The scope's place in the served root. */
  base: Base
  records: PropertyRecords | undefined
}

type Standing = Pick<Entry, 'canonical' | 'identity'>

/**
 * Properties that programs set on files and folders. They follow moves and copies, end with their item, and belong to
 * the object: what takes its name has none of them.
 */
export class Properties {
  readonly #context: PropertiesContext

  constructor(context: PropertiesContext) {
    this.#context = context
  }

  /** Those of an entry. */
  async of(entry: Standing): Promise<Property[]> {
    const rows = (await this.#context.records?.at(this.#placeOf(entry.canonical))) ?? []
    return rows.length === 0 ? [] : rows.filter(({ identity }) => identity === entry.identity)
  }

  /** Those of a folder and of its children; the result takes one of these entries. */
  async inFolder(folder: Pick<Entry, 'canonical'>): Promise<(entry: Standing) => Property[]> {
    const rows = (await this.#context.records?.inFolder(this.#placeOf(folder.canonical))) ?? []
    if (rows.length === 0) return () => []
    const byPlace = Map.groupBy(rows, ({ place }) => place)
    return entry => {
      const own = byPlace.get(this.#placeOf(entry.canonical))
      return own?.filter(({ identity }) => identity === entry.identity) ?? []
    }
  }

  /**
   * Sets and removes properties, and the modification time, all or none.
   * @throws not_found, forbidden, locked, no_space, unsupported where the time cannot be set
   */
  async change(path: FilePath, change: PropertyChange, modified?: number): Promise<void> {
    const { policy, changes, info, records } = this.#context
    policy.demand('replace', path)
    await info(path)
    await changes.locked(path, 'content', async () => {
      if (!records) throw new AppError('unsupported')
      const entry = await info(path)
      const undo = modified === undefined ? undefined : await this.#setTime(entry, modified)
      try {
        await records.change(this.#owner(entry), change)
      } catch (thrown) {
        await undo?.()
        throw thrown
      }
    })
  }

  /** Only on disks: an object in a bucket has the time of its last change. @returns sets the time before */
  async #setTime({ path, modified: before }: Entry, modified: number): Promise<() => Promise<void>> {
    const { store, changes } = this.#context
    const { disk } = store
    if (!disk) throw new AppError('unsupported')
    await disk.setTime(path, modified)
    changes.notify(path, 'replaced')
    return () => disk.setTime(path, before)
  }

  /** A file has another content. */
  async replaced(was: Standing | undefined, now: Standing): Promise<void> {
    if (was && was.identity !== now.identity) await this.#context.records?.replaced(this.#owner(was), this.#owner(now))
  }

  /** @param source as it was before the move */
  async moved(source: Entry, goal: FilePath): Promise<void> {
    const { records, store } = this.#context
    if (!records) return
    const now = await store.stat(parentOf(goal))
    if (!now) return
    const from = this.#placeOf(source.isLink ? source.path : source.canonical)
    const to = this.#placeOf(joinPath(now.canonical, goal.slice(goal.lastIndexOf('/')) as FilePath))
    const rows = await records.below(from)
    if (rows.length === 0) return
    const there = await store.stat(goal)
    if (there?.identity === source.identity) return records.moved(from, to)
    await records.add(await this.#atGoal(rows, from, to))
    await records.remove(from)
  }

  /** @param source of the copy */
  async copied(source: Entry, goal: FilePath): Promise<void> {
    const { records, store } = this.#context
    const from = this.#placeOf(source.canonical)
    const rows = (await records?.below(from)) ?? []
    const there = rows.length > 0 ? await store.stat(goal) : undefined
    if (there) await records?.add(await this.#atGoal(rows, from, this.#placeOf(there.canonical)))
  }

  /** Runs a removal, and forgets what was set on what it removed. */
  async removing<T>(path: FilePath, act: () => Promise<T>): Promise<T> {
    const { records, store } = this.#context
    const was = records && (await store.stat(path).catch(() => undefined))
    const done = await act()
    if (was && !was.isLink) await records.remove(this.#placeOf(was.canonical))
    return done
  }

  /** Those of an entry that gives way and all below it: to forget them, and to set them again where it comes back. */
  async under(path: FilePath): Promise<{ forget(): Promise<void>; setAgain(): Promise<void> } | undefined> {
    const { records, store } = this.#context
    const was = records && (await store.stat(path).catch(() => undefined))
    if (!was || was.isLink) return undefined
    const place = this.#placeOf(was.canonical)
    const rows = await records.below(place)
    return { forget: () => records.remove(place), setAgain: () => records.add(rows) }
  }

  /** The rows of a tree as those of its copy: of what exists there, with its identities. */
  async #atGoal(rows: readonly PlacedProperty[], from: FilePath, to: FilePath): Promise<PlacedProperty[]> {
    const { base, store } = this.#context
    const image = pathMapper(from, to)
    const own = (place: FilePath) => base.pathOf(place) ?? ROOT
    const found: PlacedProperty[] = []
    for (const [place, properties] of Map.groupBy(rows, row => row.place)) {
      const [before, after] = [await store.stat(own(place)), await store.stat(own(image(place)))]
      if (!after) continue
      const { identity } = after
      const still = before ? properties.filter(row => row.identity === before.identity) : properties
      found.push(...still.map(row => ({ ...row, place: image(place), identity })))
    }
    return found
  }

  #owner(entry: Standing): PropertyOwner {
    return { place: this.#placeOf(entry.canonical), identity: entry.identity }
  }

  #placeOf(canonical: FilePath): FilePath {
    return this.#context.base.placeOf(canonical)
  }
}
