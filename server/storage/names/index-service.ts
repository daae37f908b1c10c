import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { ContentState } from '../../../shared/api/search.ts'
import type { FilePath } from '../../../shared/path.ts'
import { type NamesCrawl, type NamesSource, NO_TEXTS, type TextsCrawl } from './crawler.ts'
import type { FoundNames, ListedFacts, NamesAnswer, NamesAsk, NamesSetup } from './messages.ts'
import { Search } from './result-batches.ts'
import { sizesIn } from './sizes.ts'
import type { NamesShelf, NamesStore } from './store.ts'

/** Milliseconds of work between two looks whether somebody asks. */
const SLICE = 10
/** Milliseconds that changes wait for company. */
const REST = 200
/** The same work is rested from this many times as long as it took, so that busy folders keep no processor busy. */
const REST_TIMES = 4
/** Milliseconds that a question waits for changes to be read. */
const PATIENCE = 250
/** Milliseconds between two looks whether what was asked for has come. */
const GLANCE = 5
/** Milliseconds between two looks whether somebody else has looked at everything. */
const JOIN_EVERY = 500

type Question = Extract<NamesAsk, { find: FilePath } | { sizes: FilePath } | { texts: FilePath }>
type Open<N> = { names: N; crawl: NamesCrawl; texts: TextsCrawl }

/** Answers questions about names, and keeps the index true in between. */
export class NamesDesk<N extends NamesStore> {
  readonly #setup: NamesSetup
  readonly #shelf: NamesShelf<N>
  readonly #source: NamesSource<N>
  readonly #answer: (answer: NamesAnswer) => void
  readonly #seeks = new Map<number, Search>()
  /** Questions that came and are not begun. */
  #arriving = 0
  #open: Open<N> | undefined
  #attempts = 0
  /** Whether all that is there has been looked at since the start, and by whomever. */
  #isComplete = false
  /** Whether everything is being looked at. */
  #isChecking = false
  /** Whether what others looked at is enough: whoever was away may have missed what it changed itself. */
  #mayJoin = true
  /** Why it was opened again last. */
  #reason: string | undefined
  #begunAt = 0
  /** Since when the host has not been told that all texts were taken up. */
  #textsSince: number | undefined
  #checkedAt = 0
  #transactionSince: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(setup: NamesSetup, shelf: NamesShelf<N>, source: NamesSource<N>, answer: (answer: NamesAnswer) => void) {
    this.#setup = setup
    this.#shelf = shelf
    this.#source = source
    this.#answer = answer
  }

  /** Opens the index, or makes it, and begins to look at everything. */
  open(): void {
    this.#guarded(() => {
      const names = this.#shelf.open()
      const texts = this.#source.texts?.crawl(names) ?? NO_TEXTS
      const crawl = this.#source.crawl(names, {
        changed: () => this.#wake(REST),
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
      // What could not be written down is looked at again.
    }
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

  #begin({ names, texts }: Open<N>, ask: Question, folder: number, isTrue: boolean): void {
    const { id } = ask
    if ('sizes' in ask) {
      this.#goOn(id, sizesIn(names, folder, ask.most), sizes => ({ id, sizes: { ...sizes, isComplete: isTrue } }))
    } else if ('find' in ask) {
      this.#seeks.set(id, new Search(names.seek(folder, ask.words)))
      this.#send(id)
    } else {
      const found = this.#source.texts?.seek(names, folder, ask.wanted.texts) ?? [].values()
      this.#seeks.set(id, new Search(found))
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
      if (this.#open?.crawl.isWaiting) {
        this.#letOthers()
        await pause(GLANCE)
      } else if (this.#open) this.#step(this.#open)
    }
    this.#letOthers()
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
    if (!this.#open) {
      if (this.#attempts < this.#shelf.attempts) this.open()
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
    else if (crawl.isWaiting) this.#letOthers()
    else this.#wake((Date.now() - began) * this.#restTimes(texts))
  }

  #restTimes({ isComplete }: TextsCrawl): number {
    if (!this.#isComplete) return 0
    return this.#textsSince !== undefined && !isComplete ? 1 : REST_TIMES
  }

  /** Takes what somebody else has looked at. */
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
    this.#answer({
      told: { news: 'complete', folders: names.countFolders(), milliseconds, unwatched: crawl.unwatched },
    })
  }

  #completeTexts({ texts }: Open<N>): void {
    if (this.#textsSince === undefined) return
    this.#commit()
    const milliseconds = Date.now() - this.#textsSince
    this.#textsSince = undefined
    const { isLimited } = texts
    this.#answer({ told: { news: 'contents complete', ...texts.taken(), milliseconds, isLimited } })
  }

  /** Texts come after all that there is to do for names. */
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

  /** Nobody who shares the index waits while this one does. */
  #letOthers(): void {
    if (this.#open?.names.isShared) this.#commit()
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
    if (id === undefined || this.#shelf.isBroken(thrown)) this.#throwAway(String(thrown))
    if (id !== undefined) this.#answer({ id, unknown: true })
  }

  #throwAway(reason: string): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isComplete = false
    this.#isChecking = false
    this.#mayJoin = false
    this.#textsSince = undefined
    this.#transactionSince = undefined
    this.#seeks.clear()
    this.#shut()
    const { lost, attempts, pause: rest } = this.#shelf
    this.#shelf.discard()
    if (reason !== this.#reason) this.#answer({ told: { news: lost, reason } })
    this.#reason = reason
    this.#attempts += 1
    if (rest > 0) this.#wake(rest)
    else if (this.#attempts < attempts) this.open()
  }
}

function placeIn(ask: Question): FilePath {
  if ('find' in ask) return ask.find
  return 'sizes' in ask ? ask.sizes : ask.texts
}
