import { type FilePath, nameOf, parentOf, trustedChild } from '../../shared/path.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'
import type { Base } from './base.ts'

/** The entry at a path, and its place in the served root, symbolic links resolved and names as they are listed. */
export interface Standing extends Pick<Entry, 'kind' | 'identity'> {
  place: FilePath
}

/** Objects that end with the entries they belong to, wherever these are removed or moved away. */
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

/** Ends the dependents of an entry that is being removed; exactly one of the two is called. */
export interface Leaving {
  /** @param kept the id of the kept thing, if the entry is in the trash now */
  done(kept?: string): Promise<void>
  /** Not everything was removed, perhaps nothing. */
  failed(): Promise<void>
}

export const NO_DEPENDENTS: Dependents = {
  leaving: async () => ({ async done() {}, async failed() {} }),
  async returned() {},
  async purged() {},
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
    return entry && { kind: entry.kind, identity: entry.identity, place: entry.canonical }
  }

  /**
   * Removes an entry at a path by `act`, and ends its dependents, even if the process is killed in between.
   * @param act returns the id of the kept thing where the entry went to the trash: its dependents are then suspended
   */
  async leaving(path: FilePath, act: () => Promise<string | undefined>): Promise<string | undefined> {
    const store = await this.#served()
    const identityAt = async (place: FilePath) => (await store.stat(place))?.identity
    const leaving = await this.#dependents.leaving(await placesOf(store, this.#base.placeOf(path)), identityAt)
    // A failure here is safe: the dependents know since `leaving` that their object is being removed.
    const settle = (end: Promise<void>) => end.catch(() => {})
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

  /** Resumes the dependents of a kept thing, or of something in it. @param from its old place in the served root */
  returned(kept: string, from: FilePath, to: FilePath): Promise<void> {
    return this.#dependents.returned(kept, from, this.#base.placeOf(to)).catch(() => {})
  }

  /** Ends the dependents of a kept thing that was deleted for good. */
  purged(kept: string): Promise<void> {
    return this.#dependents.purged(kept).catch(() => {})
  }
}

/** Both names of the entry removed at a path: a link is removed itself, not its target. */
async function placesOf(store: StorageDriver, path: FilePath): Promise<FilePath[]> {
  const there = await store.stat(path)
  if (there && !there.isLink) return [path, there.canonical]
  const folder = await store.stat(parentOf(path))
  return folder ? [path, trustedChild(folder.canonical, nameOf(path))] : [path]
}
