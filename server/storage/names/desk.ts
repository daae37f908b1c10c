import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { ContentState } from '../../../shared/api/search.ts'
import type { FilePath } from '../../../shared/path.ts'
import { NamesFile } from './file.ts'
import type { FoundNames, ListedFacts, NamesAnswer, NamesAsk, NamesSetup } from './messages.ts'
import { Search } from './search.ts'
import { seek } from './seek.ts'
import { seekTexts } from './seek-texts.ts'
import { sizesIn } from './sizes.ts'
import { type NamesCrawl, type NamesSource, NO_TEXTS, type TextsCrawl } from './source.ts'

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
/** Milliseconds between two looks whether what was asked for has come. */
const GLANCE = 5
/** Times that a broken file is made anew before it is given up. */
const ATTEMPTS = 3

type Question = Extract<NamesAsk, { find: FilePath } | { sizes: FilePath } | { texts: FilePath }>
type Open = { names: NamesFile; crawl: NamesCrawl; texts: TextsCrawl }

/** Answers questions about names, and keeps the index true in between. */
export class NamesDesk {
  readonly #setup: NamesSetup
  readonly #source: NamesSource
  readonly #answer: (answer: NamesAnswer) => void
  readonly #seeks = new Map<number, Search>()
  /** Questions that came and are not begun. */
  #arriving = 0
  #open: Open | undefined
  #attempts = 0
  /** Whether all that is on disk has been looked at since the start. */
  #isComplete = false
  #begunAt = 0
  /** Since when the host has not been told that all texts were taken up. */
  #textsSince: number | undefined
  #checkedAt = 0
  #transactionSince: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(setup: NamesSetup, source: NamesSource, answer: (answer: NamesAnswer) => void) {
    this.#setup = setup
    this.#source = source
    this.#answer = answer
  }

  /** Opens the index, or makes it, and begins to look at everything. */
  open(): void {
    this.#guarded(() => {
      const { names } = NamesFile.open(this.#setup.file, this.#setup.root)
      if (this.#setup.texts === 'off' && names.texts.isWanted) {
        names.close()
        throw new Error('it holds contents, which are off now')
      }
      const texts = this.#source.texts?.crawl(names) ?? NO_TEXTS
      const crawl = this.#source.crawl(names, {
        changed: () => this.#wake(REST),
        arrived: () => this.#wake(0),
        read: (folder, changed) => texts.note(folder, changed),
      })
      this.#open = { names, crawl, texts }
      this.#begunAt = Date.now()
      if (texts.isWanted || this.#setup.texts === 'always') this.#wantTexts(texts)
      this.#check(this.#open)
    })
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#commit()
    this.#shut()
  }

  #shut(): void {
    this.#open?.crawl.close()
    this.#open?.names.close()
    this.#open = undefined
  }

  take(ask: Exclude<NamesAsk, { end: true }>): void {
    if ('changed' in ask) {
      this.#open?.crawl.touch(ask.changed)
      this.#wake(REST)
    } else if ('listed' in ask) this.#guarded(() => this.#takeListed(ask.listed, ask.facts))
    else if ('more' in ask) this.#guarded(() => this.#sendMore(ask.id), ask.id)
    else if ('forget' in ask) this.#seeks.delete(ask.id)
    else if ('look' in ask) {
      const look = this.#source.texts?.look(ask.look, ask.wanted)
      if (look) this.#goOn(ask.id, look, matches => ({ id: ask.id, matches }))
      else this.#answer({ id: ask.id, unknown: true })
    } else void this.#answerTo(ask)
  }

  #takeListed(folder: FilePath, facts: ListedFacts): void {
    if (!this.#isComplete) return
    this.#open?.crawl.listed?.(folder, facts)
    this.#wake(REST)
  }

  async #answerTo(ask: Question): Promise<void> {
    // What the system has told of changes is read between two turns.
    this.#arriving += 1
    for (let count = 0; count < 2; count++) await turn()
    this.#arriving -= 1
    try {
      if (this.#open && 'texts' in ask) this.#wantTexts(this.#open.texts)
      this.#tellOf(ask, await this.#catchUp('texts' in ask))
    } catch (thrown) {
      this.#fail(thrown, ask.id)
    }
  }

  #tellOf(ask: Question, isUpToDate: boolean): void {
    const open = this.#open
    const isTrue = open !== undefined && this.#isComplete && isUpToDate
    // Sums so far are worth telling, and so are texts, but not names: somebody would miss one.
    const folder = isTrue || !('find' in ask) ? open?.names.folderAt(placeIn(ask)) : undefined
    if (!open || folder === undefined) this.#answer({ id: ask.id, unknown: true })
    else this.#begin(open, ask, folder, isTrue)
    const age = Date.now() - this.#checkedAt
    if (open && this.#isComplete && age > this.#setup.lookEvery) this.#check(open)
  }

  #begin({ names, texts }: Open, ask: Question, folder: number, isTrue: boolean): void {
    const { id } = ask
    if ('sizes' in ask) {
      this.#goOn(id, sizesIn(names, folder, ask.most), sizes => ({ id, sizes: { ...sizes, isComplete: isTrue } }))
    } else if ('find' in ask) {
      this.#seeks.set(id, new Search(seek(names, folder, ask.words)))
      this.#send(id)
    } else {
      this.#seeks.set(id, new Search(seekTexts(names, folder, ask.wanted.texts)))
      const isWhole = isTrue && texts.isComplete && !texts.isBehind
      this.#send(id, isWhole ? (texts.isLimited ? 'limited' : 'complete') : 'building')
    }
  }

  /** Goes on for a slice of time, and later with the rest. */
  #goOn<T>(id: number, work: Generator<undefined, T>, answer: (value: T) => NamesAnswer): void {
    const until = Date.now() + SLICE
    while (Date.now() < until) {
      const { done, value } = work.next()
      if (!done) continue
      this.#answer(answer(value))
      return
    }
    setImmediate(() => this.#guarded(() => this.#goOn(id, work, answer), id))
  }

  /** Reads what is known to have changed. @returns whether that did not take long */
  async #catchUp(withTexts: boolean): Promise<boolean> {
    const until = Date.now() + PATIENCE
    const isBehind = () => this.#open?.crawl.isBehind || (withTexts && this.#open?.texts.isBehind)
    while (this.#isComplete && isBehind() && Date.now() < until) {
      if (this.#open?.crawl.isWaiting) await pause(GLANCE)
      else if (this.#open) this.#step(this.#open)
    }
    return !isBehind()
  }

  #wantTexts(texts: TextsCrawl): void {
    texts.want()
    if (!texts.isComplete) this.#textsSince ??= Date.now()
    this.#wake(0)
  }

  #check({ crawl, texts }: Open): void {
    this.#checkedAt = Date.now()
    // Who tells of names tells of what is written to files, too.
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
    if (!this.#open) return
    const { crawl, texts } = this.#open
    const isIdle = () => crawl.isIdle && texts.isIdle
    const began = Date.now()
    do this.#step(this.#open)
    while (!isIdle() && !crawl.isWaiting && Date.now() - began < SLICE)
    if (!crawl.isBehind && !crawl.isChecking) this.#complete(this.#open)
    if (texts.isComplete) this.#completeTexts(this.#open)
    if (isIdle()) this.#commit()
    else if (!crawl.isWaiting) this.#wake((Date.now() - began) * this.#restTimes(texts))
  }

  #restTimes({ isComplete }: TextsCrawl): number {
    if (!this.#isComplete) return 0
    return this.#textsSince !== undefined && !isComplete ? 1 : REST_TIMES
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

  #completeTexts({ names, texts: { isLimited } }: Open): void {
    if (this.#textsSince === undefined) return
    this.#commit()
    const milliseconds = Date.now() - this.#textsSince
    this.#textsSince = undefined
    const [files, bytes] = [names.texts.count(), names.texts.bytes]
    this.#answer({ told: { news: 'contents complete', files, bytes, milliseconds, isLimited } })
  }

  /** Texts come after all that there is to do for names. */
  #step({ crawl, texts }: Open): void {
    const now = Date.now()
    if (this.#transactionSince !== undefined && now - this.#transactionSince > COMMIT_EVERY) this.#commit()
    if (this.#transactionSince === undefined) {
      this.#open?.names.begin()
      this.#transactionSince = now
    }
    if (crawl.isIdle) texts.step()
    else crawl.step()
  }

  #commit(): void {
    if (this.#transactionSince !== undefined) this.#open?.names.commit()
    this.#transactionSince = undefined
  }

  #sendMore(id: number): void {
    this.#seeks.get(id)?.goOn()
    this.#send(id)
  }

  #send(id: number, state?: ContentState): void {
    const search = this.#seeks.get(id)
    const batch = search && this.#hasTurn(search) ? this.#nextOf(search) : undefined
    if (search && !batch) {
      setImmediate(() => this.#guarded(() => this.#send(id, state), id))
      return
    }
    if (batch?.last) this.#seeks.delete(id)
    this.#answer(batch ? { id, found: batch, ...(state && { state }) } : { id, unknown: true })
  }

  #nextOf(search: Search): FoundNames | undefined {
    const isFree = this.#transactionSince === undefined
    return this.#open && isFree ? this.#open.names.reading(() => search.next()) : search.next()
  }

  /** Those who wait for their first things come before those who wait for more. */
  #hasTurn(search: Search): boolean {
    return search.isFirst || (this.#arriving === 0 && !this.#seeks.values().some(other => other.isFirst))
  }

  #guarded(act: () => void, id?: number): void {
    try {
      act()
    } catch (thrown) {
      this.#fail(thrown, id)
    }
  }

  /** A file that turns out to be broken is thrown away. Whoever asked walks instead, whatever went wrong. */
  #fail(thrown: unknown, id?: number): void {
    if (id === undefined || isBroken(thrown)) this.#throwAway(String(thrown))
    if (id !== undefined) this.#answer({ id, unknown: true })
  }

  #throwAway(reason: string): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isComplete = false
    this.#textsSince = undefined
    this.#transactionSince = undefined
    this.#seeks.clear()
    this.#shut()
    NamesFile.remove(this.#setup.file)
    this.#answer({ told: { news: 'thrown away', reason } })
    this.#attempts += 1
    if (this.#attempts < ATTEMPTS) this.open()
  }
}

function placeIn(ask: Question): FilePath {
  if ('find' in ask) return ask.find
  return 'sizes' in ask ? ask.sizes : ask.texts
}

/** SQLite's codes for a file that is damaged or none at all. */
const BROKEN = new Set([11, 26])

const isBroken = (thrown: unknown) =>
  thrown instanceof Error && 'errcode' in thrown && BROKEN.has(Number(thrown.errcode) & 0xff)
