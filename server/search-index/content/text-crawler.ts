import { type FilePath, joinPath } from '../../../shared/path.ts'
import type { CrawlableFolder } from '../../storage/crawlable.ts'
import { foldText } from '../../storage/found-names.ts'
import type { TextCrawl } from '../crawler/crawl.ts'
import type { IndexSettings } from '../search-index.ts'
import type { SqliteStore } from '../sqlite/store.ts'
import type { KeptText } from '../sqlite/texts-table.ts'
import { mayHoldText, readText } from './text-file.ts'

type TextSetup = CrawlableFolder & Pick<IndexSettings, 'textsLimit'>

/** Less than every folder's number. */
const FIRST = 0

/** Updates the text index from disk, one file at a time. */
export class TextCrawler implements TextCrawl {
  readonly #store: SqliteStore
  readonly #setup: TextSetup
  /** Folders with greater numbers are still to be checked; `undefined` if none are. */
  #checkedTo: number | undefined
  /** Changed folders with their changed names; `undefined` if any name may have changed. */
  readonly #changed = new Map<number, Set<string> | undefined>()
  #underWay: { work: Generator<undefined>; isChange: boolean } | undefined
  #isWanted: boolean
  #isComplete = false
  #isLimited = false

  constructor(store: SqliteStore, setup: TextSetup) {
    this.#store = store
    this.#setup = setup
    this.#isWanted = store.texts.isWanted
    if (this.#isWanted) this.#checkedTo = FIRST
  }

  want(): void {
    if (this.#isWanted) return
    this.#store.texts.want()
    this.#isWanted = true
    this.#checkedTo = FIRST
  }

  get isWanted(): boolean {
    return this.#isWanted
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  get isLimited(): boolean {
    return this.#isLimited
  }

  get isBehind(): boolean {
    return this.#changed.size > 0 || this.#underWay?.isChange === true
  }

  get isIdle(): boolean {
    return !this.#underWay && this.#changed.size === 0 && this.#checkedTo === undefined
  }

  taken(): { files: number; bytes: number } {
    return { files: this.#store.texts.count(), bytes: this.#store.texts.bytes }
  }

  scan(): void {
    if (this.#isWanted) this.#checkedTo ??= FIRST
  }

  note(folder: number, changed: ReadonlySet<string> | undefined): void {
    if (!this.#isWanted || (this.#checkedTo !== undefined && folder > this.#checkedTo)) return
    const known = this.#changed.get(folder)
    const all = changed === undefined || (this.#changed.has(folder) && known === undefined)
    this.#changed.set(folder, all ? undefined : new Set([...(known ?? []), ...changed]))
  }

  step(): void {
    this.#underWay ??= this.#next()
    if (this.#underWay?.work.next().done) this.#underWay = undefined
  }

  #next(): { work: Generator<undefined>; isChange: boolean } | undefined {
    const [changed] = this.#changed
    if (changed) {
      this.#changed.delete(changed[0])
      return { work: this.#readFolder(...changed), isChange: true }
    }
    if (this.#checkedTo === undefined) return undefined
    if (this.#checkedTo === FIRST) this.#isLimited = false
    this.#checkedTo = this.#store.folderAfter(this.#checkedTo)
    if (this.#checkedTo !== undefined) return { work: this.#readFolder(this.#checkedTo), isChange: false }
    this.#isComplete = true
    return undefined
  }

  *#readFolder(folder: number, only?: ReadonlySet<string>): Generator<undefined> {
    const path = this.#store.pathOf(folder)
    if (path === undefined) return
    const known = this.#store.texts.in(folder)
    const items = this.#store.items(folder)
    const isText = (name: string) => mayHoldText(name, items.get(name)?.fact ?? 0)
    for (const name of only ?? new Set([...known.keys(), ...items.keys()])) {
      const before = known.get(name)
      if (isText(name)) yield* this.#readFile({ id: folder, path }, name, before)
      else if (before) this.#store.texts.remove(before.id)
    }
  }

  *#readFile(folder: { id: number; path: FilePath }, name: string, before: KeptText | undefined): Generator<undefined> {
    const real = joinPath(this.#setup.folder as FilePath, folder.path)
    const file = readText(real, name, this.#setup.level, before?.stamp)
    if (file === 'unchanged') return yield
    if (before) this.#store.texts.remove(before.id)
    // It may have been removed since.
    if (!file || this.#store.pathOf(folder.id) !== folder.path) return yield
    const bytes = file.text === undefined ? 0 : file.bytes
    if (this.#store.texts.bytes + bytes > this.#setup.textsLimit) {
      this.#isLimited = true
      return yield
    }
    yield* this.#store.texts.add(folder.id, name, { stamp: file.stamp, bytes, text: foldText(file.text ?? '') })
  }
}
