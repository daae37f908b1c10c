import { type FilePath, joinPath, nameOf, parentOf, ROOT, trustedChild } from '../../../shared/path.ts'
import type { CrawlableFolder } from '../../storage/crawlable.ts'
import { FACTS } from '../../storage/found-names.ts'
import { isHiddenName, placeOf, readFolder } from '../../storage/local/sync-read.ts'
import { Watcher } from '../../storage/local/watcher.ts'
import { type KnownFolder, TOP } from '../index-store.ts'
import type { IndexSettings } from '../search-index.ts'
import { filesOf, type SqliteStore } from '../sqlite/store.ts'
import type { Crawl, CrawlEvents } from './crawl.ts'

type FolderSetup = CrawlableFolder & Pick<IndexSettings, 'file' | 'watches'>

/** A folder to be read. */
interface Visit {
  id: number
  path: FilePath
  /** Whether the folders below are scanned, too. */
  deep: boolean
  /** Whether it is part of a scan. */
  isScan: boolean
}

/** Updates an index from disk, one folder at a time. */
export class FolderCrawler implements Crawl {
  readonly #store: SqliteStore
  readonly #setup: FolderSetup
  readonly #on: CrawlEvents
  /** A local disk is read synchronously. */
  readonly isWaiting = false
  readonly #stagingKey: Buffer
  readonly #watcher: Watcher | undefined
  /** Files whose changes the index causes itself. */
  readonly #own: ReadonlySet<string>
  /** A stack: the last one is next. */
  readonly #visits: Visit[] = []
  readonly #scans: Visit[] = []
  /** Changed names by the path of their folder. */
  readonly #changed = new Map<FilePath, Set<string>>()
  #hasDetached = true
  #isTidy = true

  constructor(store: SqliteStore, setup: FolderSetup, on: CrawlEvents) {
    this.#store = store
    this.#setup = setup
    this.#on = on
    this.#stagingKey = Buffer.from(setup.stagingKey)
    this.#own = new Set(filesOf(setup.file))
    const changed = (folder: number, name: string | undefined) => {
      if (this.#noteChange(folder, name)) on.changed()
    }
    this.#watcher = setup.watches ? new Watcher(changed) : undefined
  }

  get isBehind(): boolean {
    return this.#visits.length > 0 || this.#changed.size > 0
  }

  get isScanning(): boolean {
    return this.#scans.length > 0
  }

  get isIdle(): boolean {
    return !this.isBehind && !this.isScanning && !this.#hasDetached && this.#isTidy
  }

  /** Number of folders whose changes are not notified. */
  unwatched(): number {
    return this.#watcher ? this.#watcher.missing : this.#store.countFolders()
  }

  scan(): void {
    if (!this.isScanning) this.#scans.push({ id: TOP, path: ROOT, deep: true, isScan: true })
  }

  /** The path may go through links. */
  touch(path: FilePath): void {
    if (path === ROOT) return
    const { folder: root, level } = this.#setup
    this.#note(placeOf(root, parentOf(path), level) ?? parentOf(path), nameOf(path))
  }

  close(): void {
    this.#watcher?.close()
  }

  /** Reads a folder, or cleans up a little. */
  step(): void {
    const [changed] = this.#changed
    if (changed) {
      this.#changed.delete(changed[0])
      this.#rescan(...changed)
      return
    }
    const visit = this.#visits.pop() ?? this.#scans.pop()
    if (visit) this.#scan(visit)
    else if (this.#hasDetached) this.#clear()
    else this.#isTidy = !this.#store.tidy()
  }

  /** @returns whether the notification matters */
  #noteChange(folder: number, name: string | undefined): boolean {
    const path = this.#store.pathOf(folder)
    if (path === undefined) return false
    if (name === undefined) this.#visits.push({ id: folder, path, deep: false, isScan: false })
    // Unfinished files are invisible.
    else if (isHiddenName(this.#stagingKey, this.#realOf(path), name)) return false
    // Recording a change of the index's own file would write to that file, and so on without end.
    else if (this.#own.has(this.#realOf(trustedChild(path, name)))) return false
    else this.#note(path, name)
    return true
  }

  #note(folder: FilePath, name: string): void {
    const names = this.#changed.get(folder) ?? new Set()
    names.add(name)
    this.#changed.set(folder, names)
  }

  /** Rescans a folder in which some names changed; an unknown one is found from its nearest known ancestor. */
  #rescan(path: FilePath, changed: ReadonlySet<string>): void {
    const id = this.#store.folderAt(path)
    if (id !== undefined) this.#read({ id, path, deep: false, isScan: false }, changed)
    else this.#note(this.#nearestKnown(parentOf(path)), '')
  }

  #nearestKnown(path: FilePath): FilePath {
    return this.#store.folderAt(path) === undefined ? this.#nearestKnown(parentOf(path)) : path
  }

  #scan(visit: Visit): void {
    // It may have been removed since.
    if (visit.id === TOP || this.#store.place(visit.id)) this.#read(visit, undefined)
  }

  #read(visit: Visit, changed: ReadonlySet<string> | undefined): void {
    const { id, path, deep } = visit
    const real = this.#realOf(path)
    this.#watcher?.add(id, real, deep)
    const { level } = this.#setup
    const known = () => this.#store.items(id)
    const stamp = this.#store.stamp(id)
    const read = readFolder(real, { level, stagingKey: this.#stagingKey, stamp, changed, known })
    const items = read ? read.items : []
    if (!items) {
      if (deep) for (const child of this.#store.children(id)) this.#visit(visit, child)
      return
    }
    this.#store.setItems(id, items, read?.stamp ?? '', read?.isUnread)
    this.#isTidy = false
    this.#on.read(id, changed)
    const folders = items.filter(({ fact }) => fact === FACTS.folder).map(item => item.name)
    this.#setFolders(visit, folders, changed)
  }

  /** Sets the subfolders of a folder. New and changed ones are scanned. */
  #setFolders(visit: Visit, names: readonly string[], changed: ReadonlySet<string> | undefined): void {
    const gone = new Map(this.#store.children(visit.id).map(child => [child.name, child.id]))
    for (const name of names) {
      const id = gone.get(name)
      gone.delete(name)
      if (id === undefined)
        this.#visit({ ...visit, isScan: false }, { name, id: this.#store.addFolder(visit.id, name) })
      else if (visit.deep || changed?.has(name)) this.#visit(visit, { name, id })
    }
    for (const child of gone.values()) this.#store.detach(child)
    this.#hasDetached ||= gone.size > 0
  }

  #visit({ path, isScan }: Pick<Visit, 'path' | 'isScan'>, { id, name }: KnownFolder): void {
    const queue = isScan ? this.#scans : this.#visits
    queue.push({ id, path: trustedChild(path, name), deep: true, isScan })
  }

  #clear(): void {
    const id = this.#store.clear()
    if (id === undefined) this.#hasDetached = false
    else this.#watcher?.drop(id)
  }

  #realOf(path: FilePath): string {
    return joinPath(this.#setup.folder as FilePath, path)
  }
}
