import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const PREFIX = '.~fg-'
const SHAPE = /^\.~fg-([0-9a-f]{16})([0-9a-f]{16})$/

/**
 * A name for a file that is being written: short, so that it fits where a name of 255 bytes does, and signed, so that
 * no user's file is mistaken for one of ours.
 */
export function stagingName(key: Buffer): string {
  const random = randomBytes(8).toString('hex')
  return PREFIX + random + signature(key, random)
}

const AREA_PREFIX = '.filigree-'

/**
 * The name of the folders that hold deleted things (docs/design/history.md): the same everywhere in an installation, and
 * signed, so that no user's folder is mistaken for one.
 */
export const areaName = (key: Buffer): string => AREA_PREFIX + signature(key, 'area')

/** Whether a name has one of the prefixes; `isOwnName` verifies it. */
export const mayBeOwn = (name: string): boolean => name.startsWith(PREFIX) || name.startsWith(AREA_PREFIX)

/** Whether a name is reserved for this server: such names are neither listed, nor found, nor made by users. */
export const isOwnName = (key: Buffer, name: string): boolean =>
  mayBeOwn(name) && (isStagingName(key, name) || name === areaName(key))

/** Whether a name was made by `stagingName` with this key. */
export function isStagingName(key: Buffer, name: string): boolean {
  const [, random, signed] = SHAPE.exec(name) ?? []
  if (random === undefined || signed === undefined) return false
  return timingSafeEqual(Buffer.from(signed), Buffer.from(signature(key, random)))
}

function signature(key: Buffer, random: string): string {
  return createHmac('sha256', key).update(random).digest('hex').slice(0, 16)
}

/** Persistent records of what this process would leave behind if it were killed. Paths are real paths. */
export interface UnfinishedNotes {
  /** A staging file or folder is about to be made in a folder. */
  note(place: string): Promise<void>
  /** Folders are about to be made for a file; at least one. */
  noteFolders(folders: readonly string[]): Promise<void>
  /** The folders contain their file, or were removed. */
  settleFolders(folders: readonly string[]): Promise<void>
}

/** What this process is making now, by temporary name. */
export class TempFileRegistry {
  readonly #names = new Set<string>()
  readonly #notes: UnfinishedNotes | undefined

  constructor(notes: UnfinishedNotes | undefined) {
    this.#notes = notes
  }

  /** A new temporary name in a folder. */
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

  /** To be called before folders are made for a file. */
  async beginFolders(key: Buffer, folders: readonly string[]): Promise<void> {
    const noted = folders.filter(folder => !isInUnfinished(key, folder))
    if (noted.length > 0) await this.#notes?.noteFolders(noted)
  }

  /** To be called when folders contain their file, or were removed. */
  async endFolders(key: Buffer, folders: readonly string[]): Promise<void> {
    const noted = folders.filter(folder => !isInUnfinished(key, folder))
    if (noted.length > 0) await this.#notes?.settleFolders(noted)
  }
}

/** The content of a staged folder is removed with it. */
const isInUnfinished = (key: Buffer, folder: string) => folder.split('/').some(name => isStagingName(key, name))
