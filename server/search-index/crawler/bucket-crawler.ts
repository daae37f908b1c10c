import { setTimeout as pause } from 'node:timers/promises'
import { type FilePath, nameOf, parentOf, ROOT, segmentsOf, trustedChild } from '../../../shared/path.ts'
import { mapLimit } from '../../lib/limit.ts'
import type { KeyPage, KeyReader } from '../../storage/crawlable.ts'
import { FACTS, type Known } from '../../storage/found-names.ts'
import type { Awaitable, IndexStore } from '../index-store.ts'
import type { Crawl, CrawlEvents } from './crawl.ts'
import { FullScan, inOrder } from './full-scan.ts'

/** Changed names that are queried together. */
const TOGETHER = 64
const AT_ONCE = 16
/** Milliseconds before a failing store is tried again. */
const REST = 5000
/** Failures at one page after which a scan restarts: the store may have lost its continuation token. */
const MOST_FAILURES = 3

/**
 * Updates an index from a bucket: by a full listing of its keys, and by querying names that were reported as
 * changed. One query runs at a time.
 */
export class BucketCrawler implements Crawl {
  readonly #store: IndexStore
  readonly #keys: KeyReader
  readonly #on: CrawlEvents
  /** Changed names by the path of their folder. */
  readonly #changed = new Map<FilePath, Set<string>>()
  /** Folders that are to be scanned with everything below them. */
  readonly #visits = new Set<FilePath>()
  #visit: FullScan | undefined
  #scan: FullScan | undefined
  #failures = 0
  #isAsking = false
  #isNaming = false
  #isPageNext = false
  /** Processes the data that arrived. */
  #arrived: (() => Promise<void>) | undefined
  #isClosed = false
  #isTidy = false

  constructor(store: IndexStore, keys: KeyReader, on: CrawlEvents) {
    this.#store = store
    this.#keys = keys
    this.#on = on
  }

  get isBehind(): boolean {
    return this.#changed.size > 0 || this.#isNaming || this.#visits.size > 0 || this.#visit !== undefined
  }

  get isScanning(): boolean {
    return this.#scan !== undefined
  }

  get isIdle(): boolean {
    return !this.isBehind && !this.isScanning && this.#isTidy
  }

  get isWaiting(): boolean {
    return this.#isAsking
  }

  /** A store sends no notifications. */
  unwatched(): Awaitable<number> {
    return this.#store.countFolders()
  }

  scan(): void {
    this.#scan ??= new FullScan(this.#store, this.#keys, ROOT)
  }

  touch(path: FilePath): void {
    if (path === ROOT) return
    this.#note(path)
    this.#visit?.touch(path)
    this.#scan?.touch(path)
  }

  /** Names whose facts differ from the index are queried, since the listing may be the older. */
  async listed(folder: FilePath, facts: ReadonlyMap<string, number>): Promise<void> {
    const id = await this.#store.folderAt(folder)
    if (id === undefined) this.touch(folder)
    const items = id === undefined ? facts : factsOf(await this.#store.items(id))
    for (const name of new Set([...items.keys(), ...facts.keys()])) {
      if (items.get(name) !== facts.get(name)) this.touch(trustedChild(folder, name))
    }
  }

  close(): void {
    this.#isClosed = true
    this.#keys.close()
  }

  async step(): Promise<void> {
    if (this.#isAsking) return
    const take = this.#arrived
    this.#arrived = undefined
    if (take) await take()
    else if (!(await this.#queryNext())) this.#isTidy = !(await this.#store.tidy())
  }

  /**
   * Names and pages alternate, so that scans of a busy bucket still finish. @returns whether there was a query to send
   */
  async #queryNext(): Promise<boolean> {
    this.#isPageNext = !this.#isPageNext
    if (this.#isPageNext) return this.#queryPage() || this.#queryNames()
    return (await this.#queryNames()) || this.#queryPage()
  }

  #note(path: FilePath): void {
    const folder = parentOf(path)
    const names = this.#changed.get(folder) ?? new Set()
    names.add(nameOf(path))
    this.#changed.set(folder, names)
  }

  /** @param take receives the result @param again is called after a failure */
  async #query<T>(pending: Promise<T>, take: (result: T) => Promise<void>, again: () => void): Promise<void> {
    this.#isAsking = true
    const arrived = await pending.then(
      result => () => take(result),
      () => pause(REST, async () => again(), { ref: false }),
    )
    if (this.#isClosed) return
    this.#isAsking = false
    this.#arrived = arrived
    this.#on.arrived()
  }

  /** @returns whether there was a query to send */
  async #queryNames(): Promise<boolean> {
    this.#isNaming = true
    for (const [folder, changed] of this.#changed) {
      this.#changed.delete(folder)
      if ((await this.#store.folderAt(folder)) === undefined) {
        this.#note(await this.#firstUnknown(folder))
        continue
      }
      const paths = [...changed].map(name => trustedChild(folder, name))
      for (const later of paths.splice(TOGETHER)) this.#note(later)
      const known = mapLimit(paths, AT_ONCE, async path => [nameOf(path), await this.#keys.known(path)] as const)
      const again = () => {
        this.#isNaming = false
        for (const path of paths) this.#note(path)
      }
      void this.#query(known, results => this.#takeNames(folder, results), again)
      return true
    }
    this.#isNaming = false
    return false
  }

  /** The outermost unknown folder on the way to a folder, or that folder. */
  async #firstUnknown(folder: FilePath): Promise<FilePath> {
    let path: FilePath = ROOT
    for (const name of segmentsOf(folder)) {
      path = trustedChild(path, name)
      if ((await this.#store.folderAt(path)) === undefined) return path
    }
    return path
  }

  async #takeNames(folder: FilePath, results: readonly (readonly [string, Known | undefined])[]): Promise<void> {
    const id = await this.#store.folderAt(folder)
    if (id !== undefined) {
      const items = await this.#store.items(id)
      let isSame = true
      for (const [name, known] of results) {
        if (items.get(name)?.fact !== known?.fact) isSame = false
        if (known) items.set(name, known)
        else items.delete(name)
        await this.#setFolder(id, trustedChild(folder, name), known?.fact === FACTS.folder)
      }
      if (!isSame) await this.#store.setItems(id, inOrder(items))
    }
    this.#isNaming = false
    this.#isTidy = false
  }

  /** Adds or removes a folder at a path; everything below a new one must be scanned. */
  async #setFolder(parent: number, path: FilePath, isThere: boolean): Promise<void> {
    const id = await this.#store.child(parent, nameOf(path))
    if (isThere) {
      if (id === undefined) await this.#store.addFolder(parent, nameOf(path))
      this.#visits.add(path)
    } else if (id !== undefined) await this.#store.detach(id)
  }

  /** @returns whether there was a query to send */
  #queryPage(): boolean {
    const [folder] = this.#visits
    if (!this.#visit && folder !== undefined) {
      this.#visits.delete(folder)
      this.#visit = new FullScan(this.#store, this.#keys, folder)
    }
    const scan = this.#visit ?? this.#scan
    if (!scan) return false
    const again = () => {
      this.#failures += 1
      if (this.#failures % MOST_FAILURES === 0) scan.restart()
    }
    void this.#query(this.#keys.page(scan.folder, scan.next), page => this.#takePage(scan, page), again)
    return true
  }

  async #takePage(scan: FullScan, page: KeyPage): Promise<void> {
    this.#failures = 0
    for (const path of await scan.take(page)) this.#note(path)
    this.#isTidy = false
    if (scan.next !== undefined) return
    if (scan === this.#visit) this.#visit = undefined
    else this.#scan = undefined
  }
}

const factsOf = (items: ReadonlyMap<string, Known>): Map<string, number> =>
  new Map([...items].map(([name, { fact }]) => [name, fact]))
