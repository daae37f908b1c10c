import { setTimeout as pause } from 'node:timers/promises'
import type { FilePath } from '../../shared/path.ts'
import { Semaphore } from '../lib/limit.ts'
import type { Crawl, IndexSource, TextCrawl } from './crawler/crawl.ts'
import type { IndexCalls } from './index-host.ts'
import type { IndexBackend, IndexStore } from './index-store.ts'
import type { IndexEvent, IndexSettings } from './search-index.ts'

/** Milliseconds of work between checks for requests. */
export const SLICE = 10
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

/** An open store, with what fills it. */
export interface OpenIndex<S> {
  store: S
  crawl: Crawl
  /** Only where texts can be indexed. */
  texts: TextCrawl | undefined
}

/** Keeps an index up to date: scans, reads changes, commits, and opens a broken one again. */
export class IndexUpdates<S extends IndexStore> implements Pick<IndexCalls, 'changed' | 'listed'> {
  readonly #settings: Pick<IndexSettings, 'scanEvery' | 'texts'>
  readonly #backend: IndexBackend<S>
  readonly #source: IndexSource<S>
  readonly #report: (event: IndexEvent) => void
  /** Work on the store, a slice at a time: its transactions must not mix. */
  readonly turns = new Semaphore(1)
  #open: OpenIndex<S> | undefined
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

  /** The store that is in use now. */
  get current(): OpenIndex<S> | undefined {
    return this.#open
  }

  /** Whether a scan has completed. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Scans again if the last scan is too old. */
  refresh(open: OpenIndex<S>): void {
    if (!this.#isComplete || Date.now() - this.#scannedAt <= this.#settings.scanEvery) return
    void this.#guarded(() => this.#scan(open))
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
      if (texts?.isWanted || this.#settings.texts === 'always') this.wantTexts(texts)
      await this.#join(this.#open)
      await this.#scan(this.#open)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.turns.run(async () => {
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

  /** Reads known changes. @returns whether it finished in time */
  async catchUp(open: OpenIndex<S>, withTexts: boolean): Promise<boolean> {
    const until = Date.now() + MAX_WAIT
    const isBehind = () => open.crawl.isBehind || (withTexts && open.texts?.isBehind === true)
    while (this.#isComplete && isBehind() && Date.now() < until) {
      if (open.crawl.isWaiting) {
        await this.turns.run(() => this.#releaseStore(open))
        await pause(POLL_EVERY)
      } else await this.turns.run(() => this.#step(open))
    }
    await this.turns.run(() => this.#releaseStore(open))
    return !isBehind()
  }

  /** Indexes texts from now on. */
  wantTexts(texts: TextCrawl | undefined): void {
    if (!texts) return
    texts.want()
    if (!texts.isComplete) this.#textsSince ??= Date.now()
    this.#wake(0)
  }

  async #scan({ store, crawl, texts }: OpenIndex<S>): Promise<void> {
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
  async #join(open: OpenIndex<S>): Promise<void> {
    if (this.#mayJoin && (await open.store.sharing?.isComplete())) await this.#complete(open)
  }

  async #endScan(open: OpenIndex<S>): Promise<void> {
    this.#isScanning = false
    this.#mayJoin = true
    await this.#commit()
    await open.store.sharing?.endScan()
    if (!this.#isComplete) await this.#complete(open)
  }

  async #complete({ store, crawl }: OpenIndex<S>): Promise<void> {
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
  async #step({ store, crawl, texts }: OpenIndex<S>): Promise<void> {
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
  async #releaseStore({ store }: OpenIndex<S>): Promise<void> {
    if (store.sharing) await this.#commit()
  }

  /** Works on the store alone. Failures discard it. */
  async #guarded(act: () => Promise<void> | undefined): Promise<void> {
    await this.turns.run(async () => {
      try {
        await act()
      } catch (thrown) {
        await this.#discard(thrown)
      }
    })
  }

  /** Discards a store that a query found corrupt, unless that was done already. */
  async fail(thrown: unknown, open: OpenIndex<S> | undefined): Promise<void> {
    if (!this.#backend.isBroken(thrown)) return
    await this.turns.run(async () => {
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
