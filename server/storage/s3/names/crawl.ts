import { setTimeout as pause } from 'node:timers/promises'
import { type FilePath, nameOf, parentOf, ROOT, segmentsOf, trustedChild } from '../../../../shared/path.ts'
import { mapLimit } from '../../../lib/limit.ts'
import type { CrawlNews, NamesCrawl } from '../../names/crawler.ts'
import type { ListedFacts } from '../../names/messages.ts'
import { FACTS, type Known } from '../../names/name-pages.ts'
import type { NamesStore } from '../../names/store.ts'
import { inOrder, Look } from './full-scan.ts'
import type { Keys } from './keys-below.ts'

/** Changed names that are asked about together. */
const TOGETHER = 64
const AT_ONCE = 16
/** Milliseconds before a store that failed is asked again. */
const REST = 5000
/** Failures at one page after which a look begins anew: the store may have forgotten where it was. */
const MOST_FAILURES = 3

/**
 * Brings an index of names up to what is in a bucket: by one listing of all keys, and by asking about the names that are
 * told to have changed. One thing is asked at a time.
 */
export class BucketCrawl implements NamesCrawl {
  readonly #names: NamesStore
  readonly #keys: Keys
  readonly #hear: CrawlNews
  /** Names that changed, by the path of their folder. */
  readonly #changed = new Map<FilePath, Set<string>>()
  /** Folders that are to be looked at with all that is below them. */
  readonly #visits = new Set<FilePath>()
  #visit: Look | undefined
  #check: Look | undefined
  #failures = 0
  #isAsking = false
  #isNaming = false
  #isPageNext = false
  /** Takes up what has come. */
  #come: (() => void) | undefined
  #isClosed = false
  #hasDetached = true
  #isTidy = true

  constructor(names: NamesStore, keys: Keys, hear: CrawlNews) {
    this.#names = names
    this.#keys = keys
    this.#hear = hear
  }

  get isBehind(): boolean {
    return this.#changed.size > 0 || this.#isNaming || this.#visits.size > 0 || this.#visit !== undefined
  }

  get isChecking(): boolean {
    return this.#check !== undefined
  }

  get isIdle(): boolean {
    return !this.isBehind && !this.isChecking && !this.#hasDetached && this.#isTidy
  }

  get isWaiting(): boolean {
    return this.#isAsking
  }

  /** A store tells nobody. */
  get unwatched(): number {
    return this.#names.countFolders()
  }

  checkAll(): void {
    this.#check ??= new Look(this.#names, ROOT)
  }

  touch(path: FilePath): void {
    if (path === ROOT) return
    this.#note(path)
    this.#visit?.touch(path)
    this.#check?.touch(path)
  }

  /** Each name that was met otherwise than it is known is asked about, since what was met may be the older. */
  listed(folder: FilePath, facts: ListedFacts): void {
    const id = this.#names.folderAt(folder)
    if (id === undefined) this.touch(folder)
    const items = id === undefined ? facts : factsOf(this.#names.items(id))
    for (const name of new Set([...items.keys(), ...facts.keys()])) {
      if (items.get(name) !== facts.get(name)) this.touch(trustedChild(folder, name))
    }
  }

  close(): void {
    this.#isClosed = true
    this.#keys.close()
  }

  step(): void {
    if (this.#isAsking) return
    const come = this.#come
    this.#come = undefined
    if (come) come()
    else if (this.#askNext()) return
    else if (this.#hasDetached) this.#hasDetached = this.#names.clear() !== undefined
    else this.#isTidy = !this.#names.tidy()
  }

  /** Names and pages take turns, so that a busy bucket keeps no look from its end. @returns whether there was something to ask */
  #askNext(): boolean {
    this.#isPageNext = !this.#isPageNext
    return this.#isPageNext ? this.#askPage() || this.#askNames() : this.#askNames() || this.#askPage()
  }

  #note(path: FilePath): void {
    const folder = parentOf(path)
    const names = this.#changed.get(folder) ?? new Set()
    names.add(nameOf(path))
    this.#changed.set(folder, names)
  }

  /** @param take gets what came @param again does what is to be done after a failure */
  async #ask<T>(asked: Promise<T>, take: (answer: T) => void, again: () => void): Promise<void> {
    this.#isAsking = true
    const come = await asked.then(
      answer => () => take(answer),
      () => pause(REST, again, { ref: false }),
    )
    if (this.#isClosed) return
    this.#isAsking = false
    this.#come = come
    this.#hear.arrived()
  }

  /** @returns whether there was something to ask */
  #askNames(): boolean {
    for (const [folder, changed] of this.#changed) {
      this.#changed.delete(folder)
      if (this.#names.folderAt(folder) === undefined) {
        this.#note(this.#firstUnknown(folder))
        continue
      }
      const [some, rest] = [[...changed].slice(0, TOGETHER), [...changed].slice(TOGETHER)]
      if (rest.length > 0) this.#changed.set(folder, new Set(rest))
      const paths = some.map(name => trustedChild(folder, name))
      const asked = mapLimit(paths, AT_ONCE, path => this.#keys.known(path))
      const again = () => {
        this.#isNaming = false
        for (const path of paths) this.#note(path)
      }
      this.#isNaming = true
      void this.#ask(asked, answers => this.#takeNames(folder, new Map(some.map((n, i) => [n, answers[i]]))), again)
      return true
    }
    return false
  }

  /** The outermost of the folders on the way to a folder that are not known, or that folder. */
  #firstUnknown(folder: FilePath): FilePath {
    let path: FilePath = ROOT
    for (const name of segmentsOf(folder)) {
      path = trustedChild(path, name)
      if (this.#names.folderAt(path) === undefined) return path
    }
    return path
  }

  #takeNames(folder: FilePath, answers: ReadonlyMap<string, Known | undefined>): void {
    this.#isNaming = false
    const id = this.#names.folderAt(folder)
    if (id === undefined) return
    const items = this.#names.items(id)
    let isSame = true
    for (const [name, known] of answers) {
      if (items.get(name)?.fact !== known?.fact) isSame = false
      if (known) items.set(name, known)
      else items.delete(name)
      this.#setFolder(id, trustedChild(folder, name), known?.fact === FACTS.folder)
    }
    if (!isSame) this.#names.setItems(id, inOrder(items), '')
    this.#isTidy = false
  }

  /** Makes it true whether there is a folder at a path; all that is below it may be new. */
  #setFolder(parent: number, path: FilePath, isThere: boolean): void {
    const id = this.#names.child(parent, nameOf(path))
    if (isThere) {
      if (id === undefined) this.#names.addFolder(parent, nameOf(path))
      this.#visits.add(path)
    } else if (id !== undefined) {
      this.#names.detach(id)
      this.#hasDetached = true
    }
  }

  /** @returns whether there was something to ask */
  #askPage(): boolean {
    const [folder] = this.#visits
    if (!this.#visit && folder !== undefined) {
      this.#visits.delete(folder)
      this.#visit = new Look(this.#names, folder)
    }
    const look = this.#visit ?? this.#check
    if (!look) return false
    const again = () => {
      this.#failures += 1
      if (this.#failures % MOST_FAILURES === 0) look.restart()
    }
    void this.#ask(this.#keys.page(look.folder, look.next), page => this.#takePage(look, page), again)
    return true
  }

  #takePage(look: Look, page: Awaited<ReturnType<Keys['page']>>): void {
    this.#failures = 0
    for (const path of look.take(page)) this.#note(path)
    this.#hasDetached ||= look.hasDetached
    this.#isTidy = false
    if (look.next !== undefined) return
    if (look === this.#visit) this.#visit = undefined
    else this.#check = undefined
  }
}

const factsOf = (items: ReadonlyMap<string, Known>): ListedFacts =>
  new Map([...items].map(([name, { fact }]) => [name, fact]))
