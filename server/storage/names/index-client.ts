import { existsSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import type { FilePath } from '../../../shared/path.ts'
import type { KnownSizes } from '../driver.ts'
import type {
  FoundNames,
  IndexedPlace,
  ListedFacts,
  NameIndex,
  NamesAnswer,
  NamesAsk,
  NamesNews,
  NamesSettings,
  NamesSetup,
  TextIndex,
} from './messages.ts'

export type { NamesNews, NamesSettings } from './messages.ts'

/** Milliseconds that the thread is given to write down what it has under way. */
const GRACE = 2000

const ENDED = 'the index of names ended in the middle of an answer'

async function* nothing(): AsyncGenerator<FoundNames> {}

/** Answers but news. */
type Reply = Exclude<NamesAnswer, { told: NamesNews }>

/** The index of names of one place, kept on a thread that is started when it is wanted. */
export class NamesKeeper implements NameIndex {
  readonly root: string
  readonly texts?: TextIndex
  readonly #setup: NamesSetup
  readonly #place: IndexedPlace
  readonly #tell: (news: NamesNews) => void
  readonly #waiting = new Map<number, PromiseWithResolvers<Reply>>()
  #worker: Worker | undefined
  #lastId = 0
  #isClosed = false

  /** @param tell what the host may want to know */
  constructor(settings: NamesSettings, place: IndexedPlace, tell: (news: NamesNews) => void) {
    this.root = place.root
    this.#setup = { ...settings, root: place.root, ...(!place.hasTexts && { texts: 'off' }) }
    this.#place = place
    this.#tell = tell
    if (this.#setup.texts !== 'off') this.texts = this.#textIndex()
  }

  /** Starts the thread, unless it runs. */
  want(): void {
    if (this.#worker || this.#isClosed) return
    const worker = this.#place.start(this.#setup)
    worker.on('message', (answer: NamesAnswer) => this.#settle(answer))
    worker.on('error', error => this.#tell({ news: 'stopped', reason: String(error) }))
    worker.on('exit', () => this.#retire())
    worker.unref()
    this.#worker = worker
  }

  /** Something at a path below the indexed folder was changed. */
  changed(path: FilePath): void {
    this.#worker?.postMessage({ changed: path } satisfies NamesAsk)
  }

  listed(folder: FilePath, read: () => ListedFacts): void {
    this.#worker?.postMessage({ listed: folder, facts: read() } satisfies NamesAsk)
  }

  async find(folder: FilePath, words: readonly string[]): Promise<AsyncIterable<FoundNames> | undefined> {
    // What an earlier start found worth making is worth having.
    if (!this.#worker && existsSync(this.#setup.file)) this.want()
    const id = ++this.#lastId
    const first = await this.#ask({ id, find: folder, words })
    return first && 'found' in first ? this.#follow(id, first.found) : undefined
  }

  async sizes(folder: FilePath, most: number): Promise<KnownSizes | undefined> {
    const answer = await this.#ask({ id: ++this.#lastId, sizes: folder, most })
    return answer && 'sizes' in answer ? answer.sizes : undefined
  }

  #textIndex(): TextIndex {
    return {
      find: async (folder, wanted) => {
        this.want()
        const id = ++this.#lastId
        const first = await this.#ask({ id, texts: folder, wanted })
        if (!first || !('found' in first)) return { state: 'building', found: nothing() }
        return { state: first.state ?? 'building', found: this.#follow(id, first.found) }
      },
      look: async (files, wanted) => {
        const answer = await this.#ask({ id: ++this.#lastId, look: files, wanted })
        if (!answer || !('matches' in answer)) throw new Error(ENDED)
        return answer.matches
      },
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const worker = this.#worker
    if (!worker) return
    const ended = new Promise(resolve => worker.once('exit', resolve))
    const timer = setTimeout(() => void worker.terminate(), GRACE)
    worker.postMessage({ end: true } satisfies NamesAsk)
    await ended
    clearTimeout(timer)
  }

  /** One batch after the other, each asked for while the one before it is looked at. */
  async *#follow(id: number, first: FoundNames): AsyncGenerator<FoundNames> {
    let found = first
    try {
      while (!found.last) {
        const coming = this.#ask({ id, more: true })
        yield found
        const answer = await coming
        if (!answer || !('found' in answer)) throw new Error(ENDED)
        found = answer.found
      }
      yield found
    } finally {
      if (!found.last) this.#worker?.postMessage({ id, forget: true } satisfies NamesAsk)
    }
  }

  /** @returns nothing when the thread does not run, or ends */
  async #ask(ask: Extract<NamesAsk, { id: number }>): Promise<Reply | undefined> {
    if (!this.#worker) return undefined
    const waiter = Promise.withResolvers<Reply>()
    this.#waiting.set(ask.id, waiter)
    this.#worker.ref()
    this.#worker.postMessage(ask)
    return waiter.promise
  }

  #settle(answer: NamesAnswer): void {
    if ('told' in answer) {
      this.#tell(answer.told)
      return
    }
    this.#waiting.get(answer.id)?.resolve(answer)
    this.#waiting.delete(answer.id)
    if (this.#waiting.size === 0) this.#worker?.unref()
  }

  /** A thread that ended leaves nobody waiting; another one is started when it is wanted again. */
  #retire(): void {
    for (const [id, waiter] of this.#waiting) waiter.resolve({ id, unknown: true })
    this.#waiting.clear()
    this.#worker = undefined
  }
}
