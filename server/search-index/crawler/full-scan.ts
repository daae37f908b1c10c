import { type FilePath, nameOf, parentOf, ROOT, trustedChild } from '../../../shared/path.ts'
import type { KeyPage, KeyReader } from '../../storage/crawlable.ts'
import { FACTS, type Item, type Known } from '../../storage/found-names.ts'
import type { IndexStore } from '../index-store.ts'

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
  readonly #store: IndexStore
  readonly #keys: Pick<KeyReader, 'nameIn'>
  #pages = 0
  /** None before the first page. */
  #levels: Level[] = []
  /** Paths changed since the scan began, by folder: each with the number of pages that had arrived. */
  readonly #touched = new Map<FilePath, Map<string, number>>()

  constructor(store: IndexStore, keys: Pick<KeyReader, 'nameIn'>, folder: FilePath) {
    this.#store = store
    this.#keys = keys
    this.folder = folder
  }

  /** Restarts from the first page. */
  restart(): void {
    this.next = undefined
    this.#pages = 0
    this.#levels = []
  }

  /** Marks a path whose scanned state may be outdated. */
  touch(path: FilePath): void {
    const folder = parentOf(path)
    const names = this.#touched.get(folder) ?? new Map()
    names.set(nameOf(path), this.#pages)
    this.#touched.set(folder, names)
  }

  /** @returns paths to scan again, since they were changed during the scan */
  async take(page: KeyPage): Promise<FilePath[]> {
    const again: FilePath[] = []
    if (this.#levels.length === 0) {
      const id = await this.#store.folderAt(this.folder)
      this.#levels.push({ id, path: this.folder, part: '', items: new Map(), since: 0 })
    }
    for (const { rest, size } of page.objects) again.push(...(await this.#meet(rest.split('/'), size)))
    this.next = page.next
    this.#pages += 1
    if (page.next === undefined) again.push(...(await this.#closeTo(0)))
    return again
  }

  /** @param parts of a key: folders, and a name that is empty for a folder's marker */
  async #meet(parts: string[], size: number): Promise<FilePath[]> {
    const last = parts.pop() ?? ''
    const shared = this.#shared(parts)
    const again = await this.#closeTo(shared + 1)
    for (const part of parts.slice(shared)) if (!(await this.#enter(part))) return again
    const level = this.#levels.at(-1)
    const name = last === '' ? undefined : this.#keys.nameIn(last)
    if (level && name !== undefined) level.items.set(name, { fact: size, disk: size })
    return again
  }

  /** Number of these folders that are open. */
  #shared(parts: readonly string[]): number {
    const differs = parts.findIndex((part, index) => part !== this.#levels[index + 1]?.part)
    return differs < 0 ? parts.length : differs
  }

  /** @returns whether a path can name it */
  async #enter(part: string): Promise<boolean> {
    const holder = this.#levels.at(-1)
    const name = this.#keys.nameIn(part)
    if (!holder || name === undefined) return false
    // A file of the same name came before; the folder takes precedence.
    holder.items.set(name, { fact: FACTS.folder, disk: 0 })
    const path = trustedChild(holder.path, name)
    this.#levels.push({ id: await this.#idIn(holder, name), path, part, items: new Map(), since: this.#pages })
    return true
  }

  /** The folder may have been removed since. */
  async #idIn({ id }: Level, name: string): Promise<number | undefined> {
    if (id === undefined || !(await this.#store.has(id))) return undefined
    return (await this.#store.child(id, name)) ?? this.#store.addFolder(id, name)
  }

  /** Stores the names of the innermost folders. @param count number of folders that stay open */
  async #closeTo(count: number): Promise<FilePath[]> {
    const again: FilePath[] = []
    while (this.#levels.length > count) {
      const level = this.#levels.pop()
      if (!level) break
      if (level.id !== undefined && (await this.#store.has(level.id))) await this.#write(level.id, level.items)
      again.push(...this.#touchedIn(level))
    }
    return again
  }

  async #write(id: number, items: ReadonlyMap<string, Known>): Promise<void> {
    if (!haveSameFacts(await this.#store.items(id), items)) await this.#store.setItems(id, inOrder(items))
    for (const child of await this.#store.children(id)) {
      if (items.get(child.name)?.fact !== FACTS.folder) await this.#store.detach(child.id)
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

/** In the order that `IndexStore.setItems` requires. */
export function inOrder(items: ReadonlyMap<string, Known>): Item[] {
  return [...items].map(([name, known]) => ({ name, ...known })).sort((a, b) => (a.name < b.name ? -1 : 1))
}
