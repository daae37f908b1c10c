import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ContentState } from '../../shared/api/search.ts'
import { type FilePath, segmentsOf } from '../../shared/path.ts'
import type { HitBatch, KnownSizes } from '../storage/driver.ts'
import { FACTS, type Hit } from '../storage/found-names.ts'
import type { IndexSource } from './crawler/crawl.ts'
import { type IndexCalls, UNKNOWN_SIZES } from './index-host.ts'
import { type IndexBackend, type IndexStore, TOP } from './index-store.ts'
import { IndexUpdates, type OpenIndex, SLICE } from './index-updates.ts'
import type { IndexEvent, IndexSettings } from './search-index.ts'
import { Searches } from './searches.ts'

/** Answers queries about an index, which is updated in between. */
export class IndexService<S extends IndexStore> implements IndexCalls {
  readonly #source: IndexSource<S>
  readonly #updates: IndexUpdates<S>
  readonly #searches: Searches

  /** @param report receives events for the host's log */
  constructor(
    settings: Pick<IndexSettings, 'scanEvery' | 'texts'>,
    backend: IndexBackend<S>,
    source: IndexSource<S>,
    report: (event: IndexEvent) => void,
  ) {
    this.#source = source
    this.#updates = new IndexUpdates(settings, backend, source, report)
    this.#searches = new Searches(this.#updates.turns)
  }

  /** Opens or creates the index, and starts a scan. */
  open(): Promise<void> {
    return this.#updates.open()
  }

  close(): Promise<void> {
    return this.#updates.close()
  }

  changed(path: FilePath): Promise<void> {
    return this.#updates.changed(path)
  }

  listed(listing: Parameters<IndexCalls['listed']>[0]): Promise<void> {
    return this.#updates.listed(listing)
  }

  async *find({ folder, words }: Parameters<IndexCalls['find']>[0]): AsyncGenerator<HitBatch> {
    const query = await this.#prepare(folder, false)
    // Partial totals and texts are useful, partial names are not: a search would miss some.
    if (query?.folder !== undefined && query.isTrue) yield* this.#batches(query.store.seek(query.folder, words))
  }

  async *findTexts({
    folder,
    wanted,
  }: Parameters<IndexCalls['findTexts']>[0]): AsyncGenerator<ContentState | HitBatch> {
    const query = await this.#prepare(folder, true)
    if (query?.folder === undefined) {
      yield 'building'
      return
    }
    const { texts, store } = query
    const isWhole = query.isTrue && texts?.isComplete && !texts.isBehind
    yield isWhole ? (texts.isLimited ? 'limited' : 'complete') : 'building'
    const found = this.#source.texts?.seek(store, query.folder, wanted.texts)
    if (found) yield* this.#batches(found)
  }

  async match({ files, wanted }: Parameters<IndexCalls['match']>[0]): ReturnType<IndexCalls['match']> {
    const matching = this.#source.texts?.match(files, wanted)
    return matching ? this.#run(matching) : []
  }

  async sizes({ folder, wanted }: Parameters<IndexCalls['sizes']>[0]): Promise<KnownSizes | undefined> {
    const query = await this.#prepare(folder, false)
    if (!query) return UNKNOWN_SIZES
    try {
      if (query.folder === undefined) return (await this.#isBehindLink(query, folder)) ? undefined : UNKNOWN_SIZES
      const sizes = await this.#run(query.store.sizes(query.folder, wanted))
      return { ...sizes, isComplete: query.isTrue }
    } catch (thrown) {
      await this.#updates.fail(thrown, query)
      return UNKNOWN_SIZES
    }
  }

  /** Reads known changes, and finds the queried folder. */
  async #prepare(path: FilePath, withTexts: boolean) {
    await this.#searches.arrive()
    const updates = this.#updates
    const open = updates.current
    if (!open) return undefined
    if (withTexts) updates.wantTexts(open.texts)
    try {
      const isUpToDate = await updates.catchUp(open, withTexts)
      const isTrue = updates.isComplete && isUpToDate
      const folder = await updates.turns.run(async () => open.store.folderAt(path))
      updates.refresh(open)
      return { ...open, folder, isTrue }
    } catch (thrown) {
      await this.#updates.fail(thrown, open)
      return undefined
    }
  }

  /** Whether a path leads through a link, whose target is not part of the index. */
  #isBehindLink({ store }: OpenIndex<S>, path: FilePath): Promise<boolean> {
    return this.#updates.turns.run(async () => {
      let folder = TOP
      for (const name of segmentsOf(path)) {
        const child = await store.child(folder, name)
        if (child === undefined) return (await store.items(folder)).get(name)?.fact === FACTS.link
        folder = child
      }
      return false
    })
  }

  /** Batches of a search; a failure before the first one leaves the search to the caller. */
  async *#batches(found: Generator<Hit[]> | AsyncGenerator<Hit[]>): AsyncGenerator<HitBatch> {
    const open = this.#updates.current
    let hasAnswered = false
    try {
      for await (const batch of this.#searches.batches(found)) {
        hasAnswered = true
        yield batch
      }
    } catch (thrown) {
      await this.#updates.fail(thrown, open)
      if (hasAnswered) throw thrown
    }
  }

  /** Runs work, a slice of time at once. */
  async #run<T>(work: Generator<undefined, T> | AsyncGenerator<undefined, T>): Promise<T> {
    for (;;) {
      const result = await this.#updates.turns.run(async () => {
        for (const until = Date.now() + SLICE; Date.now() < until; ) {
          const { done, value } = await work.next()
          if (done) return { value }
        }
        return undefined
      })
      if (result) return result.value
      await nextTurn()
    }
  }
}
