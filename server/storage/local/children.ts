import type { Entry } from '../driver.ts'
import { mayBeCan } from './desktop-can.ts'
import { type Census, type HeadColumns, KINDS, type Row } from './entry-batches.ts'
import { grown, NameTable } from './name-table.ts'
import { mayBeSnapshots } from './snapshots/hidden.ts'
import { mayBeOwn } from './temp-names.ts'

const FOLDER = KINDS.indexOf('folder')

/** The children of a folder as they are read, without an object for each: there may be very many. */
export class Children {
  readonly #all = new Heads()
  readonly #asked: Heads

  /** @param each whether every child needs a head; otherwise only those of names that may be hidden are kept */
  constructor(each: boolean) {
    this.#asked = each ? this.#all : new Heads()
  }

  get names(): NameTable {
    return this.#all.names
  }

  add(name: string, kind: Entry['kind'], followed?: Row['followed']): void {
    this.#all.add(name, kind, followed)
    if (this.#asked !== this.#all && (mayBeOwn(name) || mayBeCan(name) || mayBeSnapshots(name)))
      this.#asked.add(name, kind, followed)
  }

  isFolder(index: number): boolean {
    return this.#all.isFolder(index)
  }

  census(): Census<HeadColumns> {
    const folders = this.#all.folders - this.#asked.folders
    const others = this.#all.names.count - this.#asked.names.count - folders
    return { heads: this.#asked.toColumns(), counted: { folders, others } }
  }
}

class Heads {
  readonly names = new NameTable()
  folders = 0
  /** Kinds by number, in the order of the names, as is `followed`, for links only. */
  #kinds = new Uint8Array(64)
  #followed = new Map<number, NonNullable<Row['followed']>>()

  add(name: string, kind: Entry['kind'], followed?: Row['followed']): void {
    const at = this.names.count
    if (at === this.#kinds.length) this.#kinds = new Uint8Array(grown(this.#kinds.buffer, at + 1))
    this.#kinds[at] = KINDS.indexOf(kind)
    if (kind === 'folder') this.folders += 1
    if (followed) this.#followed.set(at, followed)
    this.names.add(name)
  }

  isFolder(index: number): boolean {
    return this.#kinds[index] === FOLDER
  }

  toColumns(): HeadColumns {
    return {
      names: this.names.toUnits(),
      kinds: this.#kinds.slice(0, this.names.count),
      followed: Array.from(this.#followed, ([index, link]) => ({ index, ...link })),
    }
  }
}
