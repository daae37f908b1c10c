import { isStagingName, stagingName } from './staging.ts'

/** What this process is making right now, by its temporary name. */
export class Unfinished {
  readonly #names = new Set<string>()
  readonly #note: (place: string) => Promise<void>

  /** @param note see `LocalOptions.noteUnfinished` */
  constructor(note: (place: string) => Promise<void> = async () => {}) {
    this.#note = note
  }

  /** A new temporary name for something in a folder. */
  async begin(key: Buffer, folder: string): Promise<string> {
    // What lies in an unfinished folder goes with it.
    if (!folder.split('/').some(name => isStagingName(key, name))) await this.#note(folder)
    const name = stagingName(key)
    this.#names.add(name)
    return name
  }

  end(name: string): void {
    this.#names.delete(name)
  }

  has(name: string): boolean {
    return this.#names.has(name)
  }
}
