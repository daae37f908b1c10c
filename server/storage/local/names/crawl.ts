import { type FilePath, joinPath, nameOf, parentOf, ROOT, trustedChild } from '../../../../shared/path.ts'
import type { CrawlNews, NamesCrawl } from '../../names/crawler.ts'
import { FACTS } from '../../names/name-pages.ts'
import { filesOf, type NamesFile } from '../../names/sqlite-store.ts'
import { type KnownFolder, TOP } from '../../names/store.ts'
import { isStagingName } from '../temp-names.ts'
import { placeOf, readFolder } from './reading.ts'
import type { FolderSetup } from './setup.ts'
import { Watches } from './watcher.ts'

/** A folder that is to be looked at. */
interface Visit {
  id: number
  path: FilePath
  /** Whether all that is below it is looked at, too. */
  deep: boolean
  /** Whether it is looked at only to make sure. */
  check: boolean
}

/** Brings an index of names up to what is on disk, one folder at a time. */
export class Crawl implements NamesCrawl {
  readonly #names: NamesFile
  readonly #setup: FolderSetup
  readonly #hear: CrawlNews
  /** What is on this machine is there at once. */
  readonly isWaiting = false
  readonly #stagingKey: Buffer
  readonly #watches: Watches | undefined
  /** Files whose changes are those of the index. */
  readonly #own: ReadonlySet<string>
  /** The last one is next. */
  readonly #visits: Visit[] = []
  readonly #checks: Visit[] = []
  /** Names that changed, by the path of their folder. */
  readonly #changed = new Map<FilePath, Set<string>>()
  #hasDetached = true
  #isTidy = true

  constructor(names: NamesFile, setup: FolderSetup, hear: CrawlNews) {
    this.#names = names
    this.#setup = setup
    this.#hear = hear
    this.#stagingKey = Buffer.from(setup.stagingKey)
    this.#own = new Set(filesOf(setup.file))
    const told = (folder: number, name: string | undefined) => {
      if (this.#told(folder, name)) hear.changed()
    }
    this.#watches = setup.watches ? new Watches(told) : undefined
  }

  /** Whether something is known to have changed. */
  get isBehind(): boolean {
    return this.#visits.length > 0 || this.#changed.size > 0
  }

  /** Whether some folder is still to be looked at to make sure. */
  get isChecking(): boolean {
    return this.#checks.length > 0
  }

  get isIdle(): boolean {
    return !this.isBehind && !this.isChecking && !this.#hasDetached && this.#isTidy
  }

  /** Folders whose changes nobody tells of. */
  get unwatched(): number {
    return this.#watches ? this.#watches.missing : this.#names.countFolders()
  }

  /** Looks at all folders, and reads those that changed. */
  checkAll(): void {
    if (!this.isChecking) this.#checks.push({ id: TOP, path: ROOT, deep: true, check: true })
  }

  /** Something at a path was changed, or below it; the way to it may go through links. */
  touch(path: FilePath): void {
    if (path === ROOT) return
    const { root, level } = this.#setup
    this.#note(placeOf(root, parentOf(path), level) ?? parentOf(path), nameOf(path))
  }

  close(): void {
    this.#watches?.close()
  }

  /** Does one piece of what there is to do: a folder, or a little of the clearing up. */
  step(): void {
    const [changed] = this.#changed
    if (changed) {
      this.#changed.delete(changed[0])
      this.#lookAgain(...changed)
      return
    }
    const visit = this.#visits.pop() ?? this.#checks.pop()
    if (visit) this.#look(visit)
    else if (this.#hasDetached) this.#clear()
    else this.#isTidy = !this.#names.tidy()
  }

  /** @returns whether it means anything */
  #told(folder: number, name: string | undefined): boolean {
    const path = this.#names.pathOf(folder)
    if (path === undefined) return false
    if (name === undefined) this.#visits.push({ id: folder, path, deep: false, check: false })
    // Nobody sees unfinished files.
    else if (isStagingName(this.#stagingKey, name)) return false
    // A note of what is written to the index would be written to the index, and so on.
    else if (this.#own.has(this.#realOf(trustedChild(path, name)))) return false
    else this.#note(path, name)
    return true
  }

  #note(folder: FilePath, name: string): void {
    const names = this.#changed.get(folder) ?? new Set()
    names.add(name)
    this.#changed.set(folder, names)
  }

  /** Reads a folder in which some names changed; an unknown one is found from the nearest that is known. */
  #lookAgain(path: FilePath, changed: ReadonlySet<string>): void {
    const id = this.#names.folderAt(path)
    if (id !== undefined) this.#read({ id, path, deep: false, check: false }, changed)
    else this.#note(this.#nearestKnown(parentOf(path)), '')
  }

  #nearestKnown(path: FilePath): FilePath {
    return this.#names.folderAt(path) === undefined ? this.#nearestKnown(parentOf(path)) : path
  }

  #look(visit: Visit): void {
    // It may have been removed since.
    if (visit.id === TOP || this.#names.place(visit.id)) this.#read(visit, undefined)
  }

  #read(visit: Visit, changed: ReadonlySet<string> | undefined): void {
    const { id, path, deep } = visit
    const real = this.#realOf(path)
    this.#watches?.add(id, real, deep)
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

  /** Makes these the folders in a folder. New ones are looked at, and those that changed. */
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
    else this.#watches?.drop(id)
  }

  #realOf(path: FilePath): string {
    return joinPath(this.#setup.root as FilePath, path)
  }
}
