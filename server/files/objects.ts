import { type FilePath, isWithin, joinPath, nameOf, ROOT } from '../../shared/path.ts'
import type { Entry, FoundEntry, StorageDriver } from '../storage/driver.ts'
import type { Base } from './base.ts'
import type { MarkRecords } from './mark-records.ts'
import type { MarkedObject } from './marked-object.ts'
import type { Policy } from './policy.ts'
import type { SeenKept, Trash } from './trash.ts'

/** Where an object is now, as one user sees it. */
export interface SeenObject {
  id: string
  /** In the user's scope; in the trash the path that it had. */
  path: FilePath
  entry: Pick<Entry, 'kind' | 'size' | 'modified'>
  /** The thing in the trash that it is, or lies in. */
  trash?: SeenKept
}

interface Context {
  store: StorageDriver
  policy: Policy
  trash: Trash
  /** The scope's place in the served root. */
  base: Base
}

/** An object as searches find entries. */
export const asFound = ({ path, entry }: SeenObject): FoundEntry => ({
  ...entry,
  ...{ path, name: nameOf(path), canonical: path, isLink: false },
})

/**
 * Finds the files and folders that a user's marks belong to. A record's place is a hint: the identity of what is there
 * decides.
 */
export class Objects {
  readonly #context: Context

  constructor(context: Context) {
    this.#context = context
  }

  /**
   * Where an object is; nothing where the user may not see it, and where it cannot be found.
   * @param how `trash`: also looks into the trash
   */
  async find(records: MarkRecords, object: MarkedObject, how: { trash: boolean }): Promise<SeenObject | undefined> {
    const path = this.#pathOf(object.place)
    if (path === undefined) return undefined
    const { store, base } = this.#context
    const entry = await store.stat(path).catch(() => undefined)
    const { id, identity } = object
    if (entry?.identity === identity) return { id, path, entry }
    const trashed = how.trash ? await this.#inTrash(records, object, path) : undefined
    if (trashed) return trashed
    if (entry?.kind !== 'file' || (await this.#isOther(records, object, how))) return undefined
    if (await records.hasLeft(object)) return undefined
    await records.identify(id, { identity: entry.identity, place: base.placeOf(entry.canonical) })
    return { id, path, entry }
  }

  /** The object of an entry, if it has one: by its identity, or by its path where another program has replaced it. */
  async of(records: MarkRecords, { identity, canonical, kind }: Entry): Promise<MarkedObject | undefined> {
    const known = await records.objectOf(identity)
    if (known) return known
    if (kind !== 'file') return undefined
    for (const object of await records.objectsAt(this.#context.base.placeOf(canonical))) {
      if (await this.find(records, object, { trash: true }).then(seen => seen && !seen.trash)) return object
    }
    return undefined
  }

  /** The same, made if there is none. @returns its id */
  async made(records: MarkRecords, entry: Entry): Promise<string> {
    const known = await this.of(records, entry)
    return known?.id ?? records.add({ identity: entry.identity, place: this.placeOf(entry) })
  }

  /** The place in the served root of an entry. */
  placeOf({ canonical }: Pick<Entry, 'canonical'>): FilePath {
    return this.#context.base.placeOf(canonical)
  }

  /** Without a look into the trash, what it holds has to be asked for before a newcomer is taken for it. */
  async #isOther(records: MarkRecords, object: MarkedObject, how: { trash: boolean }): Promise<boolean> {
    return !how.trash && (await records.inTrash(object)).length > 0
  }

  async #inTrash(records: MarkRecords, object: MarkedObject, path: FilePath): Promise<SeenObject | undefined> {
    const { trash } = this.#context
    for (const kept of await records.inTrash(object)) {
      const seen = await trash.find(kept).catch(() => undefined)
      if (!seen) continue
      if (seen.identity === object.identity)
        return { id: object.id, path: seen.path, entry: entryOf(seen), trash: seen }
      const entry = await this.#inside(seen, path)
      if (entry?.identity === object.identity) return { id: object.id, path, entry, trash: seen }
    }
    return undefined
  }

  /** The entry in a thing of the trash that had a path. */
  async #inside({ id, path: top }: SeenKept, path: FilePath): Promise<Entry | undefined> {
    if (!isWithin(path, top) || path === top) return undefined
    try {
      const view = await this.#context.trash.view(id)
      return await view.context.store.stat(joinPath(view.path, path.slice(top.length) as FilePath))
    } catch {
      return undefined
    }
  }

  /** The path in the scope of a place that the user may see. */
  #pathOf(place: FilePath): FilePath | undefined {
    const { base, policy } = this.#context
    const path = base.pathOf(place)
    if (path === undefined || path === ROOT) return undefined
    return policy.may('list', path) && policy.sees(path) ? path : undefined
  }
}

const entryOf = ({ isFolder, size, modified }: SeenKept): SeenObject['entry'] => ({
  kind: isFolder ? 'folder' : 'file',
  size,
  modified,
})
