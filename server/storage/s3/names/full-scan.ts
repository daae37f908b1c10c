import { type FilePath, nameOf, parentOf, ROOT, trustedChild } from '../../../../shared/path.ts'
import { FACTS, type Item, type Known } from '../../names/name-pages.ts'
import { type NamesStore, TOP } from '../../names/store.ts'
import { nameIn } from '../keys.ts'
import { aFile, aFolder, type KeyPage } from './keys-below.ts'

/** A folder whose keys are arriving. */
interface Level {
  /** Its number in the index; `undefined` if it was removed. */
  id: number | undefined
  path: FilePath
  /** Its part of the keys. */
  part: string
  items: Map<string, Known>
  /** The number of the page with its first key. */
  since: number
}

/**
 * A scan of all keys below a folder in order, page by page. The names of a folder are stored when its last key has
 * arrived. Memory grows with the widest folders on the way.
 */
export class FullScan {
  readonly folder: FilePath
  /** Continuation token; `undefined` before the first page. */
  next: string | undefined
  hasDetached = false
  readonly #names: NamesStore
  #pages = 0
  #levels: Level[]
  /** Paths changed since the scan began, by folder: each with the number of pages that had arrived. */
  readonly #touched = new Map<FilePath, Map<string, number>>()

  constructor(names: NamesStore, folder: FilePath) {
    this.#names = names
    this.folder = folder
    this.#levels = [this.#top()]
  }

  /** Restarts from the first page. */
  restart(): void {
    this.next = undefined
    this.#pages = 0
    this.#levels = [this.#top()]
  }

  #top(): Level {
    return { id: this.#names.folderAt(this.folder), path: this.folder, part: '', items: new Map(), since: 0 }
  }

  /** Marks a path whose scanned state may be outdated. */
  touch(path: FilePath): void {
    const folder = parentOf(path)
    const names = this.#touched.get(folder) ?? new Map()
    names.set(nameOf(path), this.#pages)
    this.#touched.set(folder, names)
  }

  /** @returns paths to scan again, since they were changed during the scan */
  take(page: KeyPage): FilePath[] {
    const again: FilePath[] = []
    for (const { rest, size } of page.objects) again.push(...this.#meet(rest.split('/'), size))
    this.next = page.next
    this.#pages += 1
    if (page.next === undefined) again.push(...this.#closeTo(0))
    return again
  }

  /** @param parts of a key: folders, and a name that is empty for a folder's marker */
  #meet(parts: string[], size: number): FilePath[] {
    const last = parts.pop() ?? ''
    const shared = this.#shared(parts)
    const again = this.#closeTo(shared + 1)
    for (const part of parts.slice(shared)) if (!this.#enter(part)) return again
    const level = this.#levels.at(-1)
    const name = last === '' ? undefined : nameIn(last)
    if (level && name !== undefined) level.items.set(name, aFile(size))
    return again
  }

  /** Number of these folders that are open. */
  #shared(parts: readonly string[]): number {
    const differs = parts.findIndex((part, index) => part !== this.#levels[index + 1]?.part)
    return differs < 0 ? parts.length : differs
  }

  /** @returns whether a path can name it */
  #enter(part: string): boolean {
    const holder = this.#levels.at(-1)
    const name = nameIn(part)
    if (!holder || name === undefined) return false
    // A file of the same name came before; the folder takes precedence.
    holder.items.set(name, aFolder)
    const path = trustedChild(holder.path, name)
    this.#levels.push({ id: this.#idIn(holder, name), path, part, items: new Map(), since: this.#pages })
    return true
  }

  #idIn({ id }: Level, name: string): number | undefined {
    if (id === undefined || !this.#isThere(id)) return undefined
    return this.#names.child(id, name) ?? this.#names.addFolder(id, name)
  }

  /** Whether a folder is still in the index; it may have been removed since. */
  #isThere(id: number): boolean {
    return id === TOP || this.#names.place(id) !== undefined
  }

  /** Stores the names of the innermost folders. @param count number of folders that stay open */
  #closeTo(count: number): FilePath[] {
    const again: FilePath[] = []
    while (this.#levels.length > count) {
      const level = this.#levels.pop()
      if (!level) break
      if (level.id !== undefined && this.#isThere(level.id)) this.#write(level.id, level.items)
      again.push(...this.#touchedIn(level))
    }
    return again
  }

  #write(id: number, items: ReadonlyMap<string, Known>): void {
    if (!haveSameFacts(this.#names.items(id), items)) this.#names.setItems(id, inOrder(items), '')
    for (const child of this.#names.children(id)) {
      if (items.get(child.name)?.fact === FACTS.folder) continue
      this.#names.detach(child.id)
      this.hasDetached = true
    }
  }

  /** What was changed in a folder, or around it, while its keys arrived. */
  #touchedIn({ path, since }: Level): FilePath[] {
    if (this.#touched.size === 0) return []
    const inside = [...(this.#touched.get(path) ?? [])].filter(([, page]) => page >= since)
    const again = inside.map(([name]) => trustedChild(path, name))
    for (let at = path; at !== ROOT && at !== this.folder; at = parentOf(at)) {
      if ((this.#touched.get(parentOf(at))?.get(nameOf(at)) ?? -1) >= since) again.push(at)
    }
    return again
  }
}

function haveSameFacts(one: ReadonlyMap<string, Known>, other: ReadonlyMap<string, Known>): boolean {
  if (one.size !== other.size) return false
  for (const [name, { fact }] of one) if (other.get(name)?.fact !== fact) return false
  return true
}

/** In the order that `NamesFile.setItems` requires. */
export function inOrder(items: ReadonlyMap<string, Known>): Item[] {
  return [...items].map(([name, known]) => ({ name, ...known })).sort((a, b) => (a.name < b.name ? -1 : 1))
}
