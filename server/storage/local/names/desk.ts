import { setImmediate as turn } from 'node:timers/promises'
import type { FilePath } from '../../../../shared/path.ts'
import { Crawl } from './crawl.ts'
import { NamesFile } from './file.ts'
import type { FoundNames, NamesAnswer, NamesAsk, NamesSetup } from './messages.ts'
import { type Found, seek } from './seek.ts'
import { sizesIn } from './sizes.ts'

/** Milliseconds of work between two looks whether somebody asks. */
const SLICE = 10
/** Milliseconds that changes wait for company. */
const REST = 200
/** The same work is rested from this many times as long as it took, so that busy folders keep no processor busy. */
const REST_TIMES = 4
/** Milliseconds after which work under way is written down. */
const COMMIT_EVERY = 2000
/** Milliseconds that a question waits for changes to be read. */
const PATIENCE = 250
/** Things found that are sent together. */
const BATCH = 1000
/** Times that a broken file is made anew before it is given up. */
const ATTEMPTS = 3

type Question = Extract<NamesAsk, { find: FilePath } | { sizes: FilePath }>
type Open = { names: NamesFile; crawl: Crawl }

/** Answers questions about names, and keeps the index true in between. */
export class NamesDesk {
  readonly #setup: NamesSetup
  readonly #answer: (answer: NamesAnswer) => void
  readonly #seeks = new Map<number, Iterator<Found | undefined>>()
  #open: Open | undefined
  #attempts = 0
  /** Whether all that is on disk has been looked at since the start. */
  #isComplete = false
  #begunAt = 0
  #checkedAt = 0
  #transactionSince: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(setup: NamesSetup, answer: (answer: NamesAnswer) => void) {
    this.#setup = setup
    this.#answer = answer
  }

  /** Opens the index, or makes it, and begins to look at everything. */
  open(): void {
    this.#guarded(() => {
      const { names } = NamesFile.open(this.#setup.file, this.#setup.root)
      const crawl = new Crawl(names, this.#setup, () => this.#wake(REST))
      this.#open = { names, crawl }
      this.#begunAt = Date.now()
      this.#check(crawl)
    })
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#commit()
    this.#open?.names.close()
    this.#open = undefined
  }

  take(ask: Exclude<NamesAsk, { end: true }>): void {
    if ('changed' in ask) {
      this.#open?.crawl.touch(ask.changed)
      this.#wake(REST)
    } else if ('more' in ask) this.#guarded(() => this.#send(ask.id), ask.id)
    else if ('forget' in ask) this.#seeks.delete(ask.id)
    else void this.#answerTo(ask)
  }

  async #answerTo(ask: Question): Promise<void> {
    // What the system has told of changes is read between two turns.
    for (let count = 0; count < 2; count++) await turn()
    this.#guarded(() => {
      const open = this.#open
      const isTrue = open !== undefined && this.#isComplete && this.#isUpToDate(open)
      // Sums so far are worth telling, names are not: somebody would miss one.
      const folder = isTrue || 'sizes' in ask ? open?.names.folderAt('find' in ask ? ask.find : ask.sizes) : undefined
      if (!open || folder === undefined) this.#answer({ id: ask.id, unknown: true })
      else if ('sizes' in ask) this.#addUp(ask.id, sizesIn(open.names, folder, ask.most), isTrue)
      else {
        this.#seeks.set(ask.id, seek(open.names, folder, ask.words))
        this.#send(ask.id)
      }
      const age = Date.now() - this.#checkedAt
      if (open && this.#isComplete && age > this.#setup.lookEvery) this.#check(open.crawl)
    }, ask.id)
  }

  /** Goes on for a slice of time, and later with the rest. */
  #addUp(id: number, sums: ReturnType<typeof sizesIn>, isComplete: boolean): void {
    const until = Date.now() + SLICE
    while (Date.now() < until) {
      const { done, value } = sums.next()
      if (!done) continue
      this.#answer({ id, sizes: { ...value, isComplete } })
      return
    }
    setImmediate(() => this.#guarded(() => this.#addUp(id, sums, isComplete), id))
  }

  /** Reads what is known to have changed, if that does not take long. */
  #isUpToDate({ crawl }: Open): boolean {
    const until = Date.now() + PATIENCE
    while (crawl.isBehind && Date.now() < until) this.#step(crawl)
    return !crawl.isBehind
  }

  #check(crawl: Crawl): void {
    this.#checkedAt = Date.now()
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
    if (!this.#open) return
    const { crawl } = this.#open
    const began = Date.now()
    do this.#step(crawl)
    while (!crawl.isIdle && Date.now() - began < SLICE)
    if (!crawl.isBehind && !crawl.isChecking) this.#complete(this.#open)
    if (crawl.isIdle) this.#commit()
    else this.#wake(this.#isComplete ? (Date.now() - began) * REST_TIMES : 0)
  }

  #complete({ names, crawl }: Open): void {
    if (this.#isComplete) return
    this.#isComplete = true
    this.#commit()
    const milliseconds = Date.now() - this.#begunAt
    this.#answer({
      told: { news: 'complete', folders: names.countFolders(), milliseconds, unwatched: crawl.unwatched },
    })
  }

  #step(crawl: Crawl): void {
    const now = Date.now()
    if (this.#transactionSince !== undefined && now - this.#transactionSince > COMMIT_EVERY) this.#commit()
    if (this.#transactionSince === undefined) {
      this.#open?.names.begin()
      this.#transactionSince = now
    }
    crawl.step()
  }

  #commit(): void {
    if (this.#transactionSince !== undefined) this.#open?.names.commit()
    this.#transactionSince = undefined
  }

  #send(id: number): void {
    const found = this.#seeks.get(id)
    const batch = found && nextBatch(found)
    if (found && !batch) {
      setImmediate(() => this.#guarded(() => this.#send(id), id))
      return
    }
    if (batch?.last) this.#seeks.delete(id)
    this.#answer(batch ? { id, found: batch } : { id, unknown: true })
  }

  /** A file that turns out to be broken is thrown away. Whoever asked walks instead, whatever went wrong. */
  #guarded(act: () => void, id?: number): void {
    try {
      act()
    } catch (thrown) {
      if (id === undefined || isBroken(thrown)) this.#throwAway(String(thrown))
      if (id !== undefined) this.#answer({ id, unknown: true })
    }
  }

  #throwAway(reason: string): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isComplete = false
    this.#transactionSince = undefined
    this.#seeks.clear()
    this.#open?.names.close()
    this.#open = undefined
    NamesFile.remove(this.#setup.file)
    this.#answer({ told: { news: 'thrown away', reason } })
    this.#attempts += 1
    if (this.#attempts < ATTEMPTS) this.open()
  }
}

/** SQLite's codes for a file that is damaged or none at all. */
const BROKEN = new Set([11, 26])

const isBroken = (thrown: unknown) =>
  thrown instanceof Error && 'errcode' in thrown && BROKEN.has(Number(thrown.errcode) & 0xff)

/** What is found within a slice of time; nothing if that is nothing. */
function nextBatch(found: Iterator<Found | undefined>): FoundNames | undefined {
  const until = Date.now() + SLICE
  const hits: Found[] = []
  while (hits.length < BATCH) {
    const { done, value } = found.next()
    if (done) return toColumns(hits, true)
    if (value) hits.push(value)
    else if (Date.now() > until) break
  }
  return hits.length > 0 ? toColumns(hits, false) : undefined
}

const toColumns = (hits: readonly Found[], last: boolean): FoundNames => ({
  paths: hits.map(hit => hit.path).join('\0'),
  facts: Float64Array.from(hits, hit => hit.fact),
  disks: Float64Array.from(hits, hit => hit.disk),
  last,
})
