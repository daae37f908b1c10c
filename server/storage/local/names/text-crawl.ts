import { type FilePath, joinPath } from '../../../../shared/path.ts'
import type { TextsCrawl } from '../../names/crawler.ts'
import { foldText } from '../../names/name-pages.ts'
import type { NamesFile } from '../../names/sqlite-store.ts'
import type { KeptText } from '../../names/texts-table.ts'
import type { FolderSetup } from './setup.ts'
import { mayHoldText, readText } from './text-file.ts'

/** Less than every folder's number. */
const FIRST = 0

/** Updates the text index from disk, one file at a time. */
export class TextCrawl implements TextsCrawl {
  readonly #names: NamesFile
  readonly #setup: Pick<FolderSetup, 'root' | 'level' | 'textsLimit'>
  /** Folders with greater numbers are still to be checked; `undefined` if none are. */
  #checkedTo: number | undefined
  /** Changed folders with their changed names; `undefined` if any name may have changed. */
  readonly #changed = new Map<number, Set<string> | undefined>()
  #underWay: { work: Generator<undefined>; isChange: boolean } | undefined
  #isWanted: boolean
  #isComplete = false
  #isLimited = false

  /** @param setup `textsLimit`: limit for the total size of indexed texts, in bytes */
  constructor(names: NamesFile, setup: Pick<FolderSetup, 'root' | 'level' | 'textsLimit'>) {
    this.#names = names
    this.#setup = setup
    this.#isWanted = names.texts.isWanted
    if (this.#isWanted) this.#checkedTo = FIRST
  }

  /** Starts indexing; idempotent. */
  want(): void {
    if (this.#isWanted) return
    this.#names.texts.want()
    this.#isWanted = true
    this.#checkedTo = FIRST
  }

  /** Whether texts are indexed. */
  get isWanted(): boolean {
    return this.#isWanted
  }

  /** Whether every file has been checked since the start. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Whether files were left out because of the limit. */
  get isLimited(): boolean {
    return this.#isLimited
  }

  /** Whether known changes are pending. */
  get isBehind(): boolean {
    return this.#changed.size > 0 || this.#underWay?.isChange === true
  }

  get isIdle(): boolean {
    return !this.#underWay && this.#changed.size === 0 && this.#checkedTo === undefined
  }

  taken(): { files: number; bytes: number } {
    return { files: this.#names.texts.count(), bytes: this.#names.texts.bytes }
  }

  /** Checks all files, and reads those that changed. */
  checkAll(): void {
    if (this.#isWanted) this.#checkedTo ??= FIRST
  }

  /** Called after a folder was read again; see `CrawlNews`. */
  note(folder: number, changed: ReadonlySet<string> | undefined): void {
    if (!this.#isWanted || (this.#checkedTo !== undefined && folder > this.#checkedTo)) return
    const known = this.#changed.get(folder)
    const all = changed === undefined || (this.#changed.has(folder) && known === undefined)
    this.#changed.set(folder, all ? undefined : new Set([...(known ?? []), ...changed]))
  }

  /** Does one unit of pending work. */
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
    this.#checkedTo = this.#names.folderAfter(this.#checkedTo)
    if (this.#checkedTo !== undefined) return { work: this.#readFolder(this.#checkedTo), isChange: false }
    this.#isComplete = true
    return undefined
  }

  *#readFolder(folder: number, only?: ReadonlySet<string>): Generator<undefined> {
    const path = this.#names.pathOf(folder)
    if (path === undefined) return
    const known = this.#names.texts.in(folder)
    const items = this.#names.items(folder)
    const isText = (name: string) => mayHoldText(name, items.get(name)?.fact ?? 0)
    for (const name of only ?? new Set([...known.keys(), ...items.keys()])) {
      const before = known.get(name)
      if (isText(name)) yield* this.#readFile({ id: folder, path }, name, before)
      else if (before) this.#names.texts.remove(before.id)
    }
  }

  *#readFile(folder: { id: number; path: FilePath }, name: string, before: KeptText | undefined): Generator<undefined> {
    const real = joinPath(this.#setup.root as FilePath, folder.path)
    const file = readText(real, name, this.#setup.level, before?.stamp)
    if (file === 'unchanged') return yield
    if (before) this.#names.texts.remove(before.id)
    // It may have been removed since.
    if (!file || this.#names.pathOf(folder.id) !== folder.path) return yield
    const bytes = file.text === undefined ? 0 : file.bytes
    if (this.#names.texts.bytes + bytes > this.#setup.textsLimit) {
      this.#isLimited = true
      return yield
    }
    yield* this.#names.texts.add(folder.id, name, { stamp: file.stamp, bytes, text: foldText(file.text ?? '') })
  }
}
