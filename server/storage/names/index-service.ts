import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import type { ContentState } from '../../../shared/api/search.ts'
import type { FilePath } from '../../../shared/path.ts'
import { type NamesCrawl, type NamesSource, NO_TEXTS, type TextsCrawl } from './crawler.ts'
import type { HitBatch, IndexRequest, IndexResponse, ListedFacts, NamesSetup } from './messages.ts'
import { Search } from './result-batches.ts'
import { sizesIn } from './sizes.ts'
import type { IndexBackend, NamesStore } from './store.ts'

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
/** Milliseconds between checks whether another server has completed a full check. */
const JOIN_EVERY = 500

type Query = Extract<IndexRequest, { find: FilePath } | { sizes: FilePath } | { texts: FilePath }>
type Open<N> = { names: N; crawl: NamesCrawl; texts: TextsCrawl }

/** Serves queries about names, and updates the index in between. */
export class IndexService<N extends NamesStore> {
  readonly #setup: NamesSetup
  readonly #backend: IndexBackend<N>
  readonly #source: NamesSource<N>
  readonly #respond: (response: IndexResponse) => void
  readonly #searches = new Map<number, Search>()
  /** Received requests that have not been started. */
  #arriving = 0
  #open: Open<N> | undefined
  #attempts = 0
  /** Whether a full check has completed since the start, on any server. */
  #isComplete = false
  /** Whether a full check is in progress. */
  #isChecking = false
  /**
   * Whether another server's full check is enough: a server that lost its connection may have missed its own changes.
   */
  #mayJoin = true
  /** Why it was reopened last. */
  #reason: string | undefined
  #begunAt = 0
  /** When text indexing started that the host has not been notified of as complete. */
  #textsSince: number | undefined
  #checkedAt = 0
  #transactionSince: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(
    setup: NamesSetup,
    backend: IndexBackend<N>,
    source: NamesSource<N>,
    respond: (response: IndexResponse) => void,
  ) {
    this.#setup = setup
    this.#backend = backend
    this.#source = source
    this.#respond = respond
  }

  /** Opens or creates the index, and starts a full check. */
  open(): void {
    this.#guarded(() => {
      const names = this.#backend.open()
      const texts = this.#source.texts?.crawl(names) ?? NO_TEXTS
      const crawl = this.#source.crawl(names, {
        changed: () => this.#wake(BATCH_DELAY),
        arrived: () => this.#wake(0),
        read: (folder, changed) => texts.note(folder, changed),
      })
      this.#open = { names, crawl, texts }
      this.#begunAt = Date.now()
      this.#reason = undefined
      if (texts.isWanted || this.#setup.texts === 'always') this.#wantTexts(texts)
      this.#join(this.#open)
      this.#check(this.#open)
    })
  }

  close(): void {
    clearTimeout(this.#timer)
    try {
      this.#commit()
    } catch {
      // Changes that could not be saved are scanned again.
    }
    this.#shut()
  }

  #shut(): void {
    this.#open?.crawl.close()
    this.#open?.names.close()
    this.#open = undefined
  }

  handle(request: Exclude<IndexRequest, { end: true }>): void {
    if ('changed' in request) {
      this.#open?.crawl.touch(request.changed)
      this.#wake(BATCH_DELAY)
    } else if ('listed' in request) this.#guarded(() => this.#recordListing(request.listed, request.facts))
    else if ('more' in request) this.#guarded(() => this.#resume(request.id), request.id)
    else if ('forget' in request) this.#searches.delete(request.id)
    else if ('match' in request) {
      const matching = this.#source.texts?.match(request.match, request.wanted)
      if (matching) this.#run(request.id, matching, matches => ({ id: request.id, matches }))
      else this.#respond({ id: request.id, unknown: true })
    } else void this.#serve(request)
  }

  #recordListing(folder: FilePath, facts: ListedFacts): void {
    if (!this.#isComplete) return
    this.#open?.crawl.listed?.(folder, facts)
    this.#wake(BATCH_DELAY)
  }

  async #serve(request: Query): Promise<void> {
    // Pending notifications of the system are read between two slices.
    this.#arriving += 1
    for (let count = 0; count < 2; count++) await nextTurn()
    this.#arriving -= 1
    try {
      if (this.#open && 'texts' in request) this.#wantTexts(this.#open.texts)
      this.#query(request, await this.#catchUp('texts' in request))
    } catch (thrown) {
      this.#fail(thrown, request.id)
    }
  }

  #query(request: Query, isUpToDate: boolean): void {
    const open = this.#open
    const isTrue = open !== undefined && this.#isComplete && isUpToDate
    // Partial totals and texts are useful, partial names are not: a search would miss some.
    const folder = isTrue || !('find' in request) ? open?.names.folderAt(placeIn(request)) : undefined
    if (!open || folder === undefined) this.#respond({ id: request.id, unknown: true })
    else this.#begin(open, request, folder, isTrue)
    const age = Date.now() - this.#checkedAt
    if (open && this.#isComplete && age > this.#setup.lookEvery) this.#check(open)
  }

  #begin({ names, texts }: Open<N>, request: Query, folder: number, isTrue: boolean): void {
    const { id } = request
    if ('sizes' in request) {
      this.#run(id, sizesIn(names, folder, request.most), sizes => ({ id, sizes: { ...sizes, isComplete: isTrue } }))
    } else if ('find' in request) {
      this.#searches.set(id, new Search(names.seek(folder, request.words)))
      this.#send(id)
    } else {
      const found = this.#source.texts?.seek(names, folder, request.wanted.texts) ?? [].values()
      this.#searches.set(id, new Search(found))
      const isWhole = isTrue && texts.isComplete && !texts.isBehind
      this.#send(id, isWhole ? (texts.isLimited ? 'limited' : 'complete') : 'building')
    }
  }

  /** Runs work for a slice of time, and schedules the rest. */
  #run<T>(id: number, work: Generator<undefined, T>, respond: (value: T) => IndexResponse): void {
    const until = Date.now() + SLICE
    while (Date.now() < until) {
      const { done, value } = work.next()
      if (!done) continue
      this.#respond(respond(value))
      return
    }
    setImmediate(() => this.#guarded(() => this.#run(id, work, respond), id))
  }

  /** Reads known changes. @returns whether it finished in time */
  async #catchUp(withTexts: boolean): Promise<boolean> {
    const until = Date.now() + MAX_WAIT
    const isBehind = () => this.#open?.crawl.isBehind || (withTexts && this.#open?.texts.isBehind)
    while (this.#isComplete && isBehind() && Date.now() < until) {
      if (this.#open?.crawl.isWaiting) {
        this.#releaseStore()
        await pause(POLL_EVERY)
      } else if (this.#open) this.#step(this.#open)
    }
    this.#releaseStore()
    return !isBehind()
  }

  #wantTexts(texts: TextsCrawl): void {
    texts.want()
    if (!texts.isComplete) this.#textsSince ??= Date.now()
    this.#wake(0)
  }

  #check({ names, crawl, texts }: Open<N>): void {
    this.#checkedAt = Date.now()
    this.#isChecking ||= names.beginCheck(this.#mayJoin ? this.#setup.lookEvery : 0)
    if (!this.#isChecking) {
      if (!this.#isComplete) this.#wake(JOIN_EVERY)
      return
    }
    // Sources that notify of names notify of file content, too.
    if (crawl.unwatched > 0) texts.checkAll()
    crawl.checkAll()
    this.#wake(0)
  }

  #wake(after: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#guarded(() => this.#work())
    }, after)
  }

  #work(): void {
    if (!this.#open) {
      if (this.#attempts < this.#backend.attempts) this.open()
      return
    }
    const { crawl, texts } = this.#open
    if (!this.#isComplete && !this.#isChecking) this.#join(this.#open)
    if (!this.#isComplete && !this.#isChecking) this.#check(this.#open)
    const isIdle = () => crawl.isIdle && texts.isIdle
    const began = Date.now()
    do this.#step(this.#open)
    while (!isIdle() && !crawl.isWaiting && Date.now() - began < SLICE)
    if (this.#isChecking && !crawl.isBehind && !crawl.isChecking) this.#endCheck(this.#open)
    if (texts.isComplete) this.#completeTexts(this.#open)
    if (isIdle()) this.#commit()
    else if (crawl.isWaiting) this.#releaseStore()
    else this.#wake((Date.now() - began) * this.#pauseFactor(texts))
  }

  #pauseFactor({ isComplete }: TextsCrawl): number {
    if (!this.#isComplete) return 0
    return this.#textsSince !== undefined && !isComplete ? 1 : PAUSE_FACTOR
  }

  /** Adopts another server's full check. */
  #join(open: Open<N>): void {
    if (this.#mayJoin && open.names.isComplete()) this.#complete(open)
  }

  #endCheck(open: Open<N>): void {
    this.#isChecking = false
    this.#mayJoin = true
    this.#commit()
    open.names.endCheck()
    if (!this.#isComplete) this.#complete(open)
  }

  #complete({ names, crawl }: Open<N>): void {
    this.#isComplete = true
    const milliseconds = Date.now() - this.#begunAt
    this.#respond({
      event: { news: 'complete', folders: names.countFolders(), milliseconds, unwatched: crawl.unwatched },
    })
  }

  #completeTexts({ texts }: Open<N>): void {
    if (this.#textsSince === undefined) return
    this.#commit()
    const milliseconds = Date.now() - this.#textsSince
    this.#textsSince = undefined
    const { isLimited } = texts
    this.#respond({ event: { news: 'contents complete', ...texts.taken(), milliseconds, isLimited } })
  }

  /** Texts come after all pending work on names. */
  #step({ names, crawl, texts }: Open<N>): void {
    const now = Date.now()
    if (this.#transactionSince !== undefined && now - this.#transactionSince > names.commitEvery) this.#commit()
    if (this.#transactionSince === undefined) {
      names.begin()
      this.#transactionSince = now
    }
    if (crawl.isIdle) texts.step()
    else crawl.step()
  }

  #commit(): void {
    if (this.#transactionSince !== undefined) this.#open?.names.commit()
    this.#transactionSince = undefined
  }

  /** Releases a shared index while this server pauses. */
  #releaseStore(): void {
    if (this.#open?.names.isShared) this.#commit()
  }

  #resume(id: number): void {
    this.#searches.get(id)?.resume()
    this.#send(id)
  }

  #send(id: number, state?: ContentState): void {
    const search = this.#searches.get(id)
    const batch = search && this.#mayRun(search) ? this.#nextOf(search) : undefined
    if (search && !batch) {
      setImmediate(() => this.#guarded(() => this.#send(id, state), id))
      return
    }
    if (batch?.last) this.#searches.delete(id)
    this.#respond(batch ? { id, found: batch, ...(state && { state }) } : { id, unknown: true })
  }

  #nextOf(search: Search): HitBatch | undefined {
    const isFree = this.#transactionSince === undefined
    return this.#open && isFree ? this.#open.names.reading(() => search.next()) : search.next()
  }

  /** Searches without a first result come before those that continue. */
  #mayRun(search: Search): boolean {
    return search.isFirst || (this.#arriving === 0 && !this.#searches.values().some(other => other.isFirst))
  }

  #guarded(act: () => void, id?: number): void {
    try {
      act()
    } catch (thrown) {
      this.#fail(thrown, id)
    }
  }

  /** Discards a corrupt file. The caller falls back to a walk, whatever the error. */
  #fail(thrown: unknown, id?: number): void {
    if (id === undefined || this.#backend.isBroken(thrown)) this.#discard(String(thrown))
    if (id !== undefined) this.#respond({ id, unknown: true })
  }

  #discard(reason: string): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isComplete = false
    this.#isChecking = false
    this.#mayJoin = false
    this.#textsSince = undefined
    this.#transactionSince = undefined
    this.#searches.clear()
    this.#shut()
    const { lost, attempts, pause: rest } = this.#backend
    this.#backend.discard()
    if (reason !== this.#reason) this.#respond({ event: { news: lost, reason } })
    this.#reason = reason
    this.#attempts += 1
    if (rest > 0) this.#wake(rest)
    else if (this.#attempts < attempts) this.open()
  }
}

function placeIn(request: Query): FilePath {
  if ('find' in request) return request.find
  return 'sizes' in request ? request.sizes : request.texts
}
