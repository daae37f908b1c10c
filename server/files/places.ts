import { type FilePath, nameOf, parentOf, trustedChild } from '../../shared/path.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import type { Base } from './base.ts'

/** The entry at a path, and its place in the served root, symbolic links resolved and names as they are listed. */
export interface Standing extends Pick<Entry, 'kind' | 'identity' | 'isNameOnly'> {
  place: FilePath
}

/** Objects that end with the entries they belong to where these are removed, and follow them where they are moved. */
export interface Dependents {
  /**
   * Called before an entry is removed from places of the served root, which are names of the same entry. Durable.
   * @param identityAt the identity at a place of the served root
   */
  leaving(places: readonly FilePath[], identityAt: (place: FilePath) => Promise<string | undefined>): Promise<Leaving>
  /** Called after a kept thing, or something in it, was restored: to `to` from `from`, places of the served root. */
  returned(kept: string, from: FilePath, to: FilePath): Promise<void>
  /** Called after a kept thing was deleted for good. */
  purged(kept: string): Promise<void>
}

/** Settles the dependents of an entry that is being removed or moved; exactly one of these is called. */
export interface Leaving {
  /** @param kept the id of the kept thing, if the entry is in the trash now */
  done(kept?: string): Promise<void>
  /** Called before anything else may change the goal. */
  moved(move: PlaceMove): Promise<void>
  /** Not everything was removed, perhaps nothing. */
  failed(): Promise<void>
}

/** An entry that has been moved, by places of the served root. */
export interface PlaceMove {
  from: FilePath
  to: FilePath
  /** Folders merged, so that parts may have stayed, or lie next to others of their names. */
  isMerged: boolean
}

export const NO_DEPENDENTS: Dependents = {
  leaving: async () => ({ async done() {}, async moved() {}, async failed() {} }),
  async returned() {},
  async purged() {},
}

/** Several kinds of dependents as one, in their order. */
export function allOf(kinds: readonly Dependents[]): Dependents {
  return {
    async leaving(places, identityAt) {
      const all: Leaving[] = []
      for (const kind of kinds) all.push(await kind.leaving(places, identityAt))
      return {
        async done(kept) {
          for (const one of all) await one.done(kept)
        },
        async moved(move) {
          for (const one of all) await one.moved(move)
        },
        async failed() {
          for (const one of all) await one.failed()
        },
      }
    },
    async returned(kept, from, to) {
      for (const kind of kinds) await kind.returned(kept, from, to)
    },
    async purged(kept) {
      for (const kind of kinds) await kind.purged(kept)
    },
  }
}

/** Maps paths of one scope to places in the served root. */
export class Places {
  readonly #served: () => Promise<StorageDriver>
  readonly #base: Base
  readonly #dependents: Dependents

  /**
   * @param served the whole served root, which has names as they are listed
   * @param base the scope's place in it
   */
  constructor(served: () => Promise<StorageDriver>, base: Base, dependents: Dependents) {
    this.#served = served
    this.#base = base
    this.#dependents = dependents
  }

  /** The entry at a path, regardless of rules. */
  async standing(path: FilePath): Promise<Standing | undefined> {
    const store = await this.#served()
    const entry = await store.stat(this.#base.placeOf(path))
    if (!entry) return undefined
    const { kind, identity, canonical: place, isNameOnly } = entry
    return { kind, identity, place, ...(isNameOnly && { isNameOnly }) }
  }

  /**
   * Removes an entry at a path by `act`, and ends its dependents, even if the process is killed in between.
   * @param act returns the id of the kept thing where the entry went to the trash: its dependents are then suspended
   */
  async leaving(path: FilePath, act: () => Promise<string | undefined>): Promise<string | undefined> {
    const leaving = await this.#leaving(await this.#placesOf(path))
    let kept: string | undefined
    try {
      kept = await act()
    } catch (thrown) {
      await settle(leaving.failed())
      throw thrown
    }
    await settle(leaving.done(kept))
    return kept
  }

  /**
   * Moves an entry by `act`, and lets its dependents follow. @param act calls `follow` after the move, while nothing else
   * can change the goal; dependents of what it does not move stay
   */
  async moving({ from, to, isMerged }: PlaceMove, act: (follow: () => Promise<void>) => Promise<void>): Promise<void> {
    const before = await this.#placesOf(from)
    const leaving = await this.#leaving(before)
    const follow = async () => {
      const after = await this.#placesOf(to)
      await leaving.moved({ from: own(before), to: own(after), isMerged })
    }
    try {
      await act(() => settle(follow()))
    } catch (thrown) {
      await settle(leaving.failed())
      throw thrown
    }
  }

  async #leaving(places: readonly FilePath[]): Promise<Leaving> {
    const store = await this.#served()
    return this.#dependents.leaving(places, async place => (await store.stat(place))?.identity)
  }

  async #placesOf(path: FilePath): Promise<FilePath[]> {
    return placesOf(await this.#served(), this.#base.placeOf(path))
  }

  /** Resumes the dependents of a kept thing, or of something in it. @param from its old place in the served root */
  returned(kept: string, from: FilePath, to: FilePath): Promise<void> {
    return this.#dependents.returned(kept, from, this.#base.placeOf(to)).catch(() => {})
  }

  /** Ends the dependents of a kept thing that was deleted for good. */
  purged(kept: string): Promise<void> {
    return this.#dependents.purged(kept).catch(() => {})
  }
}

/** A failure here is safe: the dependents know since `leaving` that their object is being removed. */
const settle = (end: Promise<void>) => end.catch(() => {})

/** The name with all links of its folders resolved. */
const own = (places: readonly FilePath[]) => places.at(-1) as FilePath

/** Both names of the entry removed at a path: a link is removed itself, not its target. */
async function placesOf(store: StorageDriver, path: FilePath): Promise<FilePath[]> {
  const there = await store.stat(path)
  if (there && !there.isLink) return [path, there.canonical]
  const folder = await store.stat(parentOf(path))
  return folder ? [path, trustedChild(folder.canonical, nameOf(path))] : [path]
}
