import { type FilePath, joinPath, nameOf, parentOf, ROOT, trustedChild } from '../../../../shared/path.ts'
import type { CrawlNews, NamesCrawl } from '../../names/crawler.ts'
import { FACTS } from '../../names/name-pages.ts'
import { filesOf, type NamesFile } from '../../names/sqlite-store.ts'
import { type KnownFolder, TOP } from '../../names/store.ts'
import { isStagingName } from '../temp-names.ts'
import { placeOf, readFolder } from './reading.ts'
import type { FolderSetup } from './setup.ts'
import { Watcher } from './watcher.ts'

/** A folder to be scanned. */
interface Visit {
  id: number
  path: FilePath
  /** Whether the folders below are scanned, too. */
  deep: boolean
  /** Whether it is part of a full check. */
  check: boolean
}

/** Updates a name index from disk, one folder at a time. */
export class Crawl implements NamesCrawl {
  readonly #names: NamesFile
  readonly #setup: FolderSetup
  readonly #hear: CrawlNews
  /** A local disk is read synchronously. */
  readonly isWaiting = false
  readonly #stagingKey: Buffer
  readonly #watcher: Watcher | undefined
  /** Files whose changes the index causes itself. */
  readonly #own: ReadonlySet<string>
  /** A stack: the last one is next. */
  readonly #visits: Visit[] = []
  readonly #checks: Visit[] = []
  /** Changed names by the path of their folder. */
  readonly #changed = new Map<FilePath, Set<string>>()
  #hasDetached = true
  #isTidy = true

  constructor(names: NamesFile, setup: FolderSetup, hear: CrawlNews) {
    this.#names = names
    this.#setup = setup
    this.#hear = hear
    this.#stagingKey = Buffer.from(setup.stagingKey)
    this.#own = new Set(filesOf(setup.file))
    const changed = (folder: number, name: string | undefined) => {
      if (this.#noteChange(folder, name)) hear.changed()
    }
    this.#watcher = setup.watches ? new Watcher(changed) : undefined
  }

  /** Whether known changes are pending. */
  get isBehind(): boolean {
    return this.#visits.length > 0 || this.#changed.size > 0
  }

  /** Whether a full check is in progress. */
  get isChecking(): boolean {
    return this.#checks.length > 0
  }

  get isIdle(): boolean {
    return !this.isBehind && !this.isChecking && !this.#hasDetached && this.#isTidy
  }

  /** Number of folders whose changes are not notified. */
  get unwatched(): number {
    return this.#watcher ? this.#watcher.missing : this.#names.countFolders()
  }

  /** Checks all folders, and reads those that changed. */
  checkAll(): void {
    if (!this.isChecking) this.#checks.push({ id: TOP, path: ROOT, deep: true, check: true })
  }

  /** Records a change at a path or below it; the path may go through links. */
  touch(path: FilePath): void {
    if (path === ROOT) return
    const { root, level } = this.#setup
    this.#note(placeOf(root, parentOf(path), level) ?? parentOf(path), nameOf(path))
  }

  close(): void {
    this.#watcher?.close()
  }

  /** Does one unit of pending work: scans a folder, or cleans up a little. */
  step(): void {
    const [changed] = this.#changed
    if (changed) {
      this.#changed.delete(changed[0])
      this.#rescan(...changed)
      return
    }
    const visit = this.#visits.pop() ?? this.#checks.pop()
    if (visit) this.#scan(visit)
    else if (this.#hasDetached) this.#clear()
    else this.#isTidy = !this.#names.tidy()
  }

  /** @returns whether the notification matters */
  #noteChange(folder: number, name: string | undefined): boolean {
    const path = this.#names.pathOf(folder)
    if (path === undefined) return false
    if (name === undefined) this.#visits.push({ id: folder, path, deep: false, check: false })
    // Unfinished files are invisible.
    else if (isStagingName(this.#stagingKey, name)) return false
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
    const id = this.#names.folderAt(path)
    if (id !== undefined) this.#read({ id, path, deep: false, check: false }, changed)
    else this.#note(this.#nearestKnown(parentOf(path)), '')
  }

  #nearestKnown(path: FilePath): FilePath {
    return this.#names.folderAt(path) === undefined ? this.#nearestKnown(parentOf(path)) : path
  }

  #scan(visit: Visit): void {
    // It may have been removed since.
    if (visit.id === TOP || this.#names.place(visit.id)) this.#read(visit, undefined)
  }

  #read(visit: Visit, changed: ReadonlySet<string> | undefined): void {
    const { id, path, deep } = visit
    const real = this.#realOf(path)
    this.#watcher?.add(id, real, deep)
    const { level } = this.#setup
    const known = () => this.#names.items(id)
    const stamp = this.#names.stamp(id)
    const read = readFolder(real, { level, stagingKey: this.#stagingKey, stamp, changed, known })
    const items = read ? read.items : []
    if (!items) {
      if (deep) for (const child of this.#names.children(id)) this.#visit(visit, child)
      return
    }
    this.#names.setItems(id, items, read?.stamp ?? '', read?.isUnread)
    this.#isTidy = false
    this.#hear.read(id, changed)
    const folders = items.filter(({ fact }) => fact === FACTS.folder).map(item => item.name)
    this.#setFolders(visit, folders, changed)
  }

  /** Sets the subfolders of a folder. New and changed ones are scanned. */
  #setFolders(visit: Visit, names: readonly string[], changed: ReadonlySet<string> | undefined): void {
    const gone = new Map(this.#names.children(visit.id).map(child => [child.name, child.id]))
    for (const name of names) {
      const id = gone.get(name)
      gone.delete(name)
      if (id === undefined) this.#visit({ ...visit, check: false }, { name, id: this.#names.addFolder(visit.id, name) })
      else if (visit.deep || changed?.has(name)) this.#visit(visit, { name, id })
    }
    for (const child of gone.values()) this.#names.detach(child)
    this.#hasDetached ||= gone.size > 0
  }

  #visit({ path, check }: Pick<Visit, 'path' | 'check'>, { id, name }: KnownFolder): void {
    const queue = check ? this.#checks : this.#visits
    queue.push({ id, path: trustedChild(path, name), deep: true, check })
  }

  #clear(): void {
    const id = this.#names.clear()
    if (id === undefined) this.#hasDetached = false
    else this.#watcher?.drop(id)
  }

  #realOf(path: FilePath): string {
    return joinPath(this.#setup.root as FilePath, path)
  }
}
