import { isStagingName, stagingName } from './temp-names.ts'

/** Where it is written down what a process that is killed would leave behind. Paths are real ones. */
export interface UnfinishedNotes {
  /** Something unfinished is about to be made in a folder. */
  note(place: string): Promise<void>
  /** Folders are about to be made for a file; one at least. */
  noteFolders(folders: readonly string[]): Promise<void>
  /** Folders have got their file, or are gone. */
  settleFolders(folders: readonly string[]): Promise<void>
}

/** What this process is making right now, by its temporary name. */
export class Unfinished {
  readonly #names = new Set<string>()
  readonly #notes: UnfinishedNotes | undefined

  constructor(notes: UnfinishedNotes | undefined) {
    this.#notes = notes
  }

  /** A new temporary name for something in a folder. */
  async begin(key: Buffer, folder: string): Promise<string> {
    if (!isInUnfinished(key, folder)) await this.#notes?.note(folder)
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

  /** To be told before folders are made for a file. */
  async beginFolders(key: Buffer, folders: readonly string[]): Promise<void> {
    const noted = folders.filter(folder => !isInUnfinished(key, folder))
    if (noted.length > 0) await this.#notes?.noteFolders(noted)
  }

  /** To be told when folders have got their file, or are gone. */
  async endFolders(key: Buffer, folders: readonly string[]): Promise<void> {
    const noted = folders.filter(folder => !isInUnfinished(key, folder))
    if (noted.length > 0) await this.#notes?.settleFolders(noted)
  }
}

/** What lies in an unfinished folder goes with it. */
const isInUnfinished = (key: Buffer, folder: string) => folder.split('/').some(name => isStagingName(key, name))
