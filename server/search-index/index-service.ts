import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { ContentState } from '../../shared/api/search.ts'
import { type FilePath, segmentsOf } from '../../shared/path.ts'
import { Semaphore } from '../lib/limit.ts'
import type { HitBatch, KnownSizes } from '../storage/driver.ts'
import { FACTS, type Hit } from '../storage/found-names.ts'
import type { Crawl, IndexSource, TextCrawl } from './crawler/crawl.ts'
import { type IndexCalls, UNKNOWN_SIZES } from './index-host.ts'
import { type IndexBackend, type IndexStore, TOP } from './index-store.ts'
import type { IndexEvent, IndexSettings } from './search-index.ts'
import { Searches } from './searches.ts'

/** Milliseconds of work between checks for requests. */
const SLICE = 10
/** Milliseconds for which changes are collected into a batch. */
const BATCH_DELAY = 200
/** Pause after the same work, in multiples of its duration, so that busy folders do not saturate a processor. */
const PAUSE_FACTOR = 4
/** Milliseconds that a query waits for pending changes to be read. */
const MAX_WAIT = 250
/** Milliseconds between checks whether requested data has arrived. */
const POLL_EVERY = 5
/** Milliseconds between checks whether another server has completed a scan. */
const JOIN_EVERY = 500

interface Opened<S> {
  store: S
  crawl: Crawl
  /** Only where texts can be indexed. */
  texts: TextCrawl | undefined
}

/** Answers queries about an index, and updates it in between. */
export class IndexService<S extends IndexStore> implements IndexCalls {
  readonly #settings: Pick<IndexSettings, 'scanEvery' | 'texts'>
  readonly #backend: IndexBackend<S>
  readonly #source: IndexSource<S>
  readonly #report: (event: IndexEvent) => void
  /** Work on the store, a slice at a time: its transactions must not mix. */
  readonly #turns = new Semaphore(1)
  readonly #searches = new Searches(this.#turns)
  #open: Opened<S> | undefined
  #isClosed = false
  #attempts = 0
  /** Whether a scan has completed since the start, on any server. */
  #isComplete = false
  #isScanning = false
  /** Whether another server's scan is enough: a server that lost its connection may have missed its own changes. */
  #mayJoin = true
  /** Why it was reopened last. */
  #reason: string | undefined
  #begunAt = 0
  /** When text indexing started that the host has not been notified of as complete. */
  #textsSince: number | undefined
  #scannedAt = 0
  #transactionSince: number | undefined
  #timer: NodeJS.Timeout | undefined

  /** @param report receives events for the host's log */
  constructor(
    settings: Pick<IndexSettings, 'scanEvery' | 'texts'>,
    backend: IndexBackend<S>,
    source: IndexSource<S>,
    report: (event: IndexEvent) => void,
  ) {
    this.#settings = settings
    this.#backend = backend
    this.#source = source
    this.#report = report
  }

  /** Opens or creates the index, and starts a scan. */
  open(): Promise<void> {
    return this.#guarded(async () => {
      if (this.#open || this.#isClosed || this.#attempts >= this.#backend.attempts) return
      const store = await this.#backend.open()
      const texts = this.#source.texts?.crawl(store)
      const crawl = this.#source.crawl(store, {
        changed: () => this.#wake(BATCH_DELAY),
        arrived: () => this.#wake(0),
        read: (folder, changed) => texts?.note(folder, changed),
      })
      this.#open = { store, crawl, texts }
      this.#begunAt = Date.now()
      this.#reason = undefined
      if (texts?.isWanted || this.#settings.texts === 'always') this.#wantTexts(texts)
      await this.#join(this.#open)
      await this.#scan(this.#open)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#turns.run(async () => {
      // Changes that could not be saved are scanned again.
      await this.#commit().catch(() => {})
      await this.#shut()
    })
  }

  async #shut(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    this.#transactionSince = undefined
    open?.crawl.close()
    await open?.store.close()
  }

  async changed(path: FilePath): Promise<void> {
    this.#open?.crawl.touch(path)
    this.#wake(BATCH_DELAY)
  }

  async listed({ folder, facts }: Parameters<IndexCalls['listed']>[0]): Promise<void> {
    if (!this.#isComplete) return
    await this.#guarded(async () => this.#open?.crawl.listed?.(folder, facts))
    this.#wake(BATCH_DELAY)
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

  async sizes({ folder, most }: Parameters<IndexCalls['sizes']>[0]): Promise<KnownSizes | undefined> {
    const query = await this.#prepare(folder, false)
    if (!query) return UNKNOWN_SIZES
    try {
      if (query.folder === undefined) return (await this.#isBehindLink(query, folder)) ? undefined : UNKNOWN_SIZES
      const sizes = await this.#run(query.store.sizes(query.folder, most))
      return { ...sizes, isComplete: query.isTrue }
    } catch (thrown) {
      await this.#fail(thrown, query)
      return UNKNOWN_SIZES
    }
  }

  /** Reads known changes, and finds the queried folder. */
  async #prepare(path: FilePath, withTexts: boolean) {
    await this.#searches.arrive()
    const open = this.#open
    if (!open) return undefined
    if (withTexts) this.#wantTexts(open.texts)
    try {
      const isUpToDate = await this.#catchUp(open, withTexts)
      const isTrue = this.#isComplete && isUpToDate
      const folder = await this.#turns.run(async () => open.store.folderAt(path))
      if (this.#isComplete && Date.now() - this.#scannedAt > this.#settings.scanEvery) {
        void this.#guarded(() => this.#scan(open))
      }
      return { ...open, folder, isTrue }
    } catch (thrown) {
      await this.#fail(thrown, open)
      return undefined
    }
  }

  /** Whether a path leads through a link, whose target is not part of the index. */
  #isBehindLink({ store }: Opened<S>, path: FilePath): Promise<boolean> {
    return this.#turns.run(async () => {
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
    const open = this.#open
    let hasAnswered = false
    try {
      for await (const batch of this.#searches.batches(found)) {
        hasAnswered = true
        yield batch
      }
    } catch (thrown) {
      await this.#fail(thrown, open)
      if (hasAnswered) throw thrown
    }
  }

  /** Runs work, a slice of time at once. */
  async #run<T>(work: Generator<undefined, T> | AsyncGenerator<undefined, T>): Promise<T> {
    for (;;) {
      const result = await this.#turns.run(async () => {
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

  /** Reads known changes. @returns whether it finished in time */
  async #catchUp(open: Opened<S>, withTexts: boolean): Promise<boolean> {
    const until = Date.now() + MAX_WAIT
    const isBehind = () => open.crawl.isBehind || (withTexts && open.texts?.isBehind === true)
    while (this.#isComplete && isBehind() && Date.now() < until) {
      if (open.crawl.isWaiting) {
        await this.#turns.run(() => this.#releaseStore(open))
        await pause(POLL_EVERY)
      } else await this.#turns.run(() => this.#step(open))
    }
    await this.#turns.run(() => this.#releaseStore(open))
    return !isBehind()
  }

  #wantTexts(texts: TextCrawl | undefined): void {
    if (!texts) return
    texts.want()
    if (!texts.isComplete) this.#textsSince ??= Date.now()
    this.#wake(0)
  }

  async #scan({ store, crawl, texts }: Opened<S>): Promise<void> {
    this.#scannedAt = Date.now()
    this.#isScanning ||= (await store.sharing?.beginScan(this.#mayJoin ? this.#settings.scanEvery : 0)) ?? true
    if (!this.#isScanning) {
      if (!this.#isComplete) this.#wake(JOIN_EVERY)
      return
    }
    // Sources that notify of names notify of file content, too.
    if ((await crawl.unwatched()) > 0) texts?.scan()
    crawl.scan()
    this.#wake(0)
  }

  #wake(after: number): void {
    if (this.#isClosed) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void (this.#open ? this.#guarded(() => this.#work()) : this.open())
    }, after)
  }

  async #work(): Promise<void> {
    const open = this.#open
    if (!open) return
    const { crawl, texts } = open
    if (!this.#isComplete && !this.#isScanning) await this.#join(open)
    if (!this.#isComplete && !this.#isScanning) await this.#scan(open)
    const isIdle = () => crawl.isIdle && texts?.isIdle !== false
    const began = Date.now()
    do await this.#step(open)
    while (!isIdle() && !crawl.isWaiting && Date.now() - began < SLICE)
    if (this.#isScanning && !crawl.isBehind && !crawl.isScanning) await this.#endScan(open)
    if (texts?.isComplete) await this.#completeTexts(texts)
    if (isIdle()) await this.#commit()
    else if (crawl.isWaiting) await this.#releaseStore(open)
    else this.#wake((Date.now() - began) * this.#pauseFactor(texts))
  }

  #pauseFactor(texts: TextCrawl | undefined): number {
    if (!this.#isComplete) return 0
    return this.#textsSince !== undefined && !texts?.isComplete ? 1 : PAUSE_FACTOR
  }

  /** Adopts another server's scan. */
  async #join(open: Opened<S>): Promise<void> {
    if (this.#mayJoin && (await open.store.sharing?.isComplete())) await this.#complete(open)
  }

  async #endScan(open: Opened<S>): Promise<void> {
    this.#isScanning = false
    this.#mayJoin = true
    await this.#commit()
    await open.store.sharing?.endScan()
    if (!this.#isComplete) await this.#complete(open)
  }

  async #complete({ store, crawl }: Opened<S>): Promise<void> {
    this.#isComplete = true
    const milliseconds = Date.now() - this.#begunAt
    const [folders, unwatched] = [await store.countFolders(), await crawl.unwatched()]
    this.#report({ event: 'complete', folders, milliseconds, unwatched })
  }

  async #completeTexts(texts: TextCrawl): Promise<void> {
    if (this.#textsSince === undefined) return
    await this.#commit()
    const milliseconds = Date.now() - this.#textsSince
    this.#textsSince = undefined
    this.#report({ event: 'contents complete', ...texts.taken(), milliseconds, isLimited: texts.isLimited })
  }

  /** Texts come after all pending work on names. */
  async #step({ store, crawl, texts }: Opened<S>): Promise<void> {
    const now = Date.now()
    if (this.#transactionSince !== undefined && now - this.#transactionSince > store.commitEvery) await this.#commit()
    if (this.#transactionSince === undefined) {
      await store.begin()
      this.#transactionSince = now
    }
    if (crawl.isIdle) texts?.step()
    else await crawl.step()
  }

  async #commit(): Promise<void> {
    if (this.#transactionSince !== undefined) await this.#open?.store.commit()
    this.#transactionSince = undefined
  }

  /** Lets other servers write while this one pauses. */
  async #releaseStore({ store }: Opened<S>): Promise<void> {
    if (store.sharing) await this.#commit()
  }

  /** Works on the store alone. Failures discard it. */
  async #guarded(act: () => Promise<void> | undefined): Promise<void> {
    await this.#turns.run(async () => {
      try {
        await act()
      } catch (thrown) {
        await this.#discard(thrown)
      }
    })
  }

  /** Discards a store that a query found corrupt, unless that was done already. */
  async #fail(thrown: unknown, open: Opened<S> | undefined): Promise<void> {
    if (!this.#backend.isBroken(thrown)) return
    await this.#turns.run(async () => {
      if (this.#open && this.#open.store === open?.store) await this.#discard(thrown)
    })
  }

  async #discard(thrown: unknown): Promise<void> {
    if (this.#isClosed) return
    const reason = String(thrown)
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isComplete = false
    this.#isScanning = false
    this.#mayJoin = false
    this.#textsSince = undefined
    await this.#shut()
    const { lost, pause: rest } = this.#backend
    this.#backend.discard()
    if (reason !== this.#reason) this.#report({ event: lost, reason })
    this.#reason = reason
    this.#attempts += 1
    this.#wake(rest)
  }
}
