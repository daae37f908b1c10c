import { type FilePath, joinPath, nameOf, parentOf, trustedChild } from '../../shared/path.ts'
import type { Entry, StorageDriver } from '../storage/driver.ts'

/** What stands at a path, and where that really is in the served root, links followed and names as they are listed. */
export interface Standing extends Pick<Entry, 'kind' | 'identity'> {
  place: FilePath
}

/** What ends with the things it was made for, wherever they are removed or moved away. */
export interface Dependents {
  /**
   * Called before something is taken from places of the served root, which are names of the same thing. Durable.
   * @param identityAt what stands at a place of the served root
   */
  leaving(places: readonly FilePath[], identityAt: (place: FilePath) => Promise<string | undefined>): Promise<Leaving>
}

/** Ends what depends on something that is being removed; one of the two is called. */
export interface Leaving {
  done(): Promise<void>
  /** Not everything was removed, perhaps nothing. */
  failed(): Promise<void>
}

export const NO_DEPENDENTS: Dependents = { leaving: async () => ({ async done() {}, async failed() {} }) }

/** The places in the served root of what one scope holds. */
export class Places {
  readonly #served: () => Promise<StorageDriver>
  readonly #base: FilePath
  readonly #dependents: Dependents

  /**
   * @param served the whole served root, which tells names as they are listed
   * @param base the scope's place in it
   */
  constructor(served: () => Promise<StorageDriver>, base: FilePath, dependents: Dependents) {
    this.#served = served
    this.#base = base
    this.#dependents = dependents
  }

  /** What stands at a path, whatever the rules say of it. */
  async standing(path: FilePath): Promise<Standing | undefined> {
    const store = await this.#served()
    const entry = await store.stat(joinPath(this.#base, path))
    return entry && { kind: entry.kind, identity: entry.identity, place: entry.canonical }
  }

  /** Takes something away from a path, and ends what depends on it: also when the process is killed between the two. */
  async leaving(path: FilePath, act: () => Promise<void>): Promise<void> {
    const store = await this.#served()
    const identityAt = async (place: FilePath) => (await store.stat(place))?.identity
    const leaving = await this.#dependents.leaving(await placesOf(store, joinPath(this.#base, path)), identityAt)
    // What cannot be settled now has been told that its object leaves.
    const settle = (end: Promise<void>) => end.catch(() => {})
    try {
      await act()
    } catch (thrown) {
      await settle(leaving.failed())
      throw thrown
    }
    await settle(leaving.done())
  }
}

/** Both names of what is removed at a path: a link goes itself, not what it leads to. */
async function placesOf(store: StorageDriver, path: FilePath): Promise<FilePath[]> {
  const there = await store.stat(path)
  if (there && !there.isLink) return [path, there.canonical]
  const folder = await store.stat(parentOf(path))
  return folder ? [path, trustedChild(folder.canonical, nameOf(path))] : [path]
}
