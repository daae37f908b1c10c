import { setTimeout as pause } from 'node:timers/promises'
import { type FilePath, nameOf, parentOf, ROOT, segmentsOf, trustedChild } from '../../../../shared/path.ts'
import { mapLimit } from '../../../lib/limit.ts'
import type { CrawlNews, NamesCrawl } from '../../names/crawler.ts'
import type { ListedFacts } from '../../names/messages.ts'
import { FACTS, type Known } from '../../names/name-pages.ts'
import type { NamesStore } from '../../names/store.ts'
import { FullScan, inOrder } from './full-scan.ts'
import type { Keys } from './keys-below.ts'

/** Changed names that are queried together. */
const TOGETHER = 64
const AT_ONCE = 16
/** Milliseconds before a failing store is tried again. */
const REST = 5000
/** Failures at one page after which a scan restarts: the store may have lost its continuation token. */
const MOST_FAILURES = 3

/**
 * Updates a name index from a bucket: by a full listing of its keys, and by querying names that were reported as
 * changed. One query runs at a time.
 */
export class BucketCrawl implements NamesCrawl {
  readonly #names: NamesStore
  readonly #keys: Keys
  readonly #hear: CrawlNews
  /** Changed names by the path of their folder. */
  readonly #changed = new Map<FilePath, Set<string>>()
  /** Folders that are to be scanned with everything below them. */
  readonly #visits = new Set<FilePath>()
  #visit: FullScan | undefined
  #check: FullScan | undefined
  #failures = 0
  #isAsking = false
  #isNaming = false
  #isPageNext = false
  /** Processes the data that arrived. */
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

  /** A store sends no notifications. */
  get unwatched(): number {
    return this.#names.countFolders()
  }

  checkAll(): void {
    this.#check ??= new FullScan(this.#names, ROOT)
  }

  touch(path: FilePath): void {
    if (path === ROOT) return
    this.#note(path)
    this.#visit?.touch(path)
    this.#check?.touch(path)
  }

  /** Names whose facts differ from the index are queried, since the listing may be the older. */
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
    else if (this.#queryNext()) return
    else if (this.#hasDetached) this.#hasDetached = this.#names.clear() !== undefined
    else this.#isTidy = !this.#names.tidy()
  }

  /**
   * Names and pages alternate, so that scans of a busy bucket still finish. @returns whether there was a query to send
   */
  #queryNext(): boolean {
    this.#isPageNext = !this.#isPageNext
    return this.#isPageNext ? this.#queryPage() || this.#queryNames() : this.#queryNames() || this.#queryPage()
  }

  #note(path: FilePath): void {
    const folder = parentOf(path)
    const names = this.#changed.get(folder) ?? new Set()
    names.add(nameOf(path))
    this.#changed.set(folder, names)
  }

  /** @param take receives the result @param again is called after a failure */
  async #query<T>(pending: Promise<T>, take: (result: T) => void, again: () => void): Promise<void> {
    this.#isAsking = true
    const come = await pending.then(
      result => () => take(result),
      () => pause(REST, again, { ref: false }),
    )
    if (this.#isClosed) return
    this.#isAsking = false
    this.#come = come
    this.#hear.arrived()
  }

  /** @returns whether there was a query to send */
  #queryNames(): boolean {
    for (const [folder, changed] of this.#changed) {
      this.#changed.delete(folder)
      if (this.#names.folderAt(folder) === undefined) {
        this.#note(this.#firstUnknown(folder))
        continue
      }
      const [some, rest] = [[...changed].slice(0, TOGETHER), [...changed].slice(TOGETHER)]
      if (rest.length > 0) this.#changed.set(folder, new Set(rest))
      const paths = some.map(name => trustedChild(folder, name))
      const pending = mapLimit(paths, AT_ONCE, path => this.#keys.known(path))
      const again = () => {
        this.#isNaming = false
        for (const path of paths) this.#note(path)
      }
      this.#isNaming = true
      void this.#query(pending, results => this.#takeNames(folder, new Map(some.map((n, i) => [n, results[i]]))), again)
      return true
    }
    return false
  }

  /** The outermost unknown folder on the way to a folder, or that folder. */
  #firstUnknown(folder: FilePath): FilePath {
    let path: FilePath = ROOT
    for (const name of segmentsOf(folder)) {
      path = trustedChild(path, name)
      if (this.#names.folderAt(path) === undefined) return path
    }
    return path
  }

  #takeNames(folder: FilePath, results: ReadonlyMap<string, Known | undefined>): void {
    this.#isNaming = false
    const id = this.#names.folderAt(folder)
    if (id === undefined) return
    const items = this.#names.items(id)
    let isSame = true
    for (const [name, known] of results) {
      if (items.get(name)?.fact !== known?.fact) isSame = false
      if (known) items.set(name, known)
      else items.delete(name)
      this.#setFolder(id, trustedChild(folder, name), known?.fact === FACTS.folder)
    }
    if (!isSame) this.#names.setItems(id, inOrder(items), '')
    this.#isTidy = false
  }

  /** Adds or removes a folder at a path; everything below a new one must be scanned. */
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

  /** @returns whether there was a query to send */
  #queryPage(): boolean {
    const [folder] = this.#visits
    if (!this.#visit && folder !== undefined) {
      this.#visits.delete(folder)
      this.#visit = new FullScan(this.#names, folder)
    }
    const scan = this.#visit ?? this.#check
    if (!scan) return false
    const again = () => {
      this.#failures += 1
      if (this.#failures % MOST_FAILURES === 0) scan.restart()
    }
    void this.#query(this.#keys.page(scan.folder, scan.next), page => this.#takePage(scan, page), again)
    return true
  }

  #takePage(scan: FullScan, page: Awaited<ReturnType<Keys['page']>>): void {
    this.#failures = 0
    for (const path of scan.take(page)) this.#note(path)
    this.#hasDetached ||= scan.hasDetached
    this.#isTidy = false
    if (scan.next !== undefined) return
    if (scan === this.#visit) this.#visit = undefined
    else this.#check = undefined
  }
}

const factsOf = (items: ReadonlyMap<string, Known>): ListedFacts =>
  new Map([...items].map(([name, { fact }]) => [name, fact]))
