import { parsePath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { OpenFile, StorageDriver } from '../storage/driver.ts'

/** The files that a branding folder may contain, by File Browser's names; no other file is read. */
export const BRANDING_FILES = [
  'custom.css',
  'img/logo.svg',
  'img/login.jpg',
  'img/login.png',
  'img/login.webp',
  'img/icons/favicon.ico',
  'img/icons/favicon.svg',
  'img/icons/apple-touch-icon.png',
  'img/icons/android-chrome-192x192.png',
  'img/icons/android-chrome-512x512.png',
] as const
export type BrandingFile = (typeof BRANDING_FILES)[number]

/** Milliseconds that a page waits for the branding folder: its disk may hang. */
const PATIENCE = 2000

/**
 * The folder with the host's own logo, icons and style sheet. Each call opens it: it may be replaced, or appear later.
 */
export class BrandingFolder {
  readonly #openStore: (folder: string) => Promise<StorageDriver>
  readonly #patience: number

  constructor(openStore: (folder: string) => Promise<StorageDriver>, patience = PATIENCE) {
    this.#openStore = openStore
    this.#patience = patience
  }

  /**
   * Opens one file; `undefined` where it is missing, unreadable, or behind a symbolic link that leads out of the
   * folder.
   * @param folder as in the settings; `''` for none
   */
  async open(folder: string, name: BrandingFile): Promise<OpenFile | undefined> {
    if (folder === '') return undefined
    return absentOnRefusal(async () => openIn(await this.#openStore(folder), name))
  }

  /** The versions of the files that exist, by their names; none for a folder that does not answer in time. */
  async versions(folder: string): Promise<ReadonlyMap<BrandingFile, string>> {
    if (folder === '') return new Map()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>(resolve => {
      timer = setTimeout(resolve, this.#patience, undefined)
    })
    const found = await Promise.race([absentOnRefusal(() => this.#look(folder)), late])
    clearTimeout(timer)
    return found ?? new Map()
  }

  async #look(folder: string): Promise<ReadonlyMap<BrandingFile, string>> {
    const store = await this.#openStore(folder)
    const found = await Promise.all(
      BRANDING_FILES.map(async name => [name, await absentOnRefusal(() => versionIn(store, name))] as const),
    )
    return new Map(found.flatMap(([name, version]) => (version === undefined ? [] : [[name, version] as const])))
  }
}

const openIn = (store: StorageDriver, name: BrandingFile) => store.read(parsePath(`/${name}`))

async function versionIn(store: StorageDriver, name: BrandingFile): Promise<string> {
  const file = await openIn(store, name)
  await file.close()
  return file.entry.version
}

async function absentOnRefusal<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act()
  } catch (thrown) {
    if (thrown instanceof AppError) return undefined
    throw thrown
  }
}
