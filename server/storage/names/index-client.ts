import { existsSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import type { FilePath } from '../../../shared/path.ts'
import type { KnownSizes } from '../driver.ts'
import type {
  HitBatch,
  IndexedPlace,
  IndexRequest,
  IndexResponse,
  ListedFacts,
  NameIndex,
  NamesNews,
  NamesSettings,
  NamesSetup,
  TextIndex,
} from './messages.ts'

export type { NamesNews, NamesSettings } from './messages.ts'

/** Milliseconds that the thread is given to save its work on closing. */
const GRACE = 2000

const ENDED = 'the index of names ended in the middle of a response'

async function* nothing(): AsyncGenerator<HitBatch> {}

/** Responses except news. */
type Reply = Exclude<IndexResponse, { event: NamesNews }>

/** The client of a name index, which runs on a thread that is started on demand. */
export class NamesKeeper implements NameIndex {
  readonly root: string
  readonly texts?: TextIndex
  readonly #setup: NamesSetup
  readonly #place: IndexedPlace
  readonly #report: (news: NamesNews) => void
  readonly #waiting = new Map<number, PromiseWithResolvers<Reply>>()
  #worker: Worker | undefined
  #lastId = 0
  #isClosed = false

  /** @param report receives events for the host's log */
  constructor(settings: NamesSettings, place: IndexedPlace, report: (news: NamesNews) => void) {
    this.root = place.root
    this.#setup = { ...settings, root: place.root, ...(!place.hasTexts && { texts: 'off' }) }
    this.#place = place
    this.#report = report
    if (this.#setup.texts !== 'off') this.texts = this.#textIndex()
  }

  /** Starts the thread; idempotent. */
  want(): void {
    if (this.#worker || this.#isClosed) return
    const worker = this.#place.start(this.#setup)
    worker.on('message', (response: IndexResponse) => this.#settle(response))
    worker.on('error', error => this.#report({ news: 'stopped', reason: String(error) }))
    worker.on('exit', () => this.#retire())
    worker.unref()
    this.#worker = worker
  }

  /** Reports a change at a path below the indexed folder. */
  changed(path: FilePath): void {
    this.#worker?.postMessage({ changed: path } satisfies IndexRequest)
  }

  listed(folder: FilePath, read: () => ListedFacts): void {
    this.#worker?.postMessage({ listed: folder, facts: read() } satisfies IndexRequest)
  }

  async find(folder: FilePath, words: readonly string[]): Promise<AsyncIterable<HitBatch> | undefined> {
    // An index that an earlier run built is worth keeping up to date.
    if (!this.#worker && existsSync(this.#setup.file)) this.want()
    const id = ++this.#lastId
    const first = await this.#request({ id, find: folder, words })
    return first && 'found' in first ? this.#follow(id, first.found) : undefined
  }

  async sizes(folder: FilePath, most: number): Promise<KnownSizes | undefined> {
    const response = await this.#request({ id: ++this.#lastId, sizes: folder, most })
    return response && 'sizes' in response ? response.sizes : undefined
  }

  #textIndex(): TextIndex {
    return {
      find: async (folder, wanted) => {
        this.want()
        const id = ++this.#lastId
        const first = await this.#request({ id, texts: folder, wanted })
        if (!first || !('found' in first)) return { state: 'building', found: nothing() }
        return { state: first.state ?? 'building', found: this.#follow(id, first.found) }
      },
      match: async (files, wanted) => {
        const response = await this.#request({ id: ++this.#lastId, match: files, wanted })
        if (!response || !('matches' in response)) throw new Error(ENDED)
        return response.matches
      },
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const worker = this.#worker
    if (!worker) return
    const ended = new Promise(resolve => worker.once('exit', resolve))
    const timer = setTimeout(() => void worker.terminate(), GRACE)
    worker.postMessage({ end: true } satisfies IndexRequest)
    await ended
    clearTimeout(timer)
  }

  /** Yields batches; each is requested while the one before it is processed. */
  async *#follow(id: number, first: HitBatch): AsyncGenerator<HitBatch> {
    let found = first
    try {
      while (!found.last) {
        const coming = this.#request({ id, more: true })
        yield found
        const response = await coming
        if (!response || !('found' in response)) throw new Error(ENDED)
        found = response.found
      }
      yield found
    } finally {
      if (!found.last) this.#worker?.postMessage({ id, forget: true } satisfies IndexRequest)
    }
  }

  /** @returns `undefined` when the thread does not run, or ends */
  async #request(request: Extract<IndexRequest, { id: number }>): Promise<Reply | undefined> {
    if (!this.#worker) return undefined
    const waiter = Promise.withResolvers<Reply>()
    this.#waiting.set(request.id, waiter)
    this.#worker.ref()
    this.#worker.postMessage(request)
    return waiter.promise
  }

  #settle(response: IndexResponse): void {
    if ('event' in response) {
      this.#report(response.event)
      return
    }
    this.#waiting.get(response.id)?.resolve(response)
    this.#waiting.delete(response.id)
    if (this.#waiting.size === 0) this.#worker?.unref()
  }

  /** Fails the pending requests of a thread that ended; a new thread is started on demand. */
  #retire(): void {
    for (const [id, waiter] of this.#waiting) waiter.resolve({ id, unknown: true })
    this.#waiting.clear()
    this.#worker = undefined
  }
}
