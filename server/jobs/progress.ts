/** The progress of a job: the finished items, and the one being worked on. */
export interface Progress {
  bytes: number
  entries: number
  settledBytes: number
  settledEntries: number
  /** Known once everything has been counted. */
  bytesTotal?: number
  entriesTotal?: number
}

export const NO_PROGRESS: Progress = { bytes: 0, entries: 0, settledBytes: 0, settledEntries: 0 }

/** Counts the progress of a job. An item that begins again is counted from scratch. */
export class Meter {
  #now: Progress

  constructor(before: Progress) {
    this.#now = before
    this.rewind()
  }

  get now(): Progress {
    return this.#now
  }

  add({ bytes = 0, entries = 0 }: { bytes?: number; entries?: number }): void {
    this.#now = { ...this.#now, bytes: this.#now.bytes + bytes, entries: this.#now.entries + entries }
  }

  total({ bytes, entries }: { bytes: number; entries: number }): void {
    this.#now = { ...this.#now, bytesTotal: bytes, entriesTotal: entries }
  }

  /** An item has ended. */
  settle(): void {
    this.#now = { ...this.#now, settledBytes: this.#now.bytes, settledEntries: this.#now.entries }
  }

  /** An item was interrupted. */
  rewind(): void {
    this.#now = { ...this.#now, bytes: this.#now.settledBytes, entries: this.#now.settledEntries }
  }
}
