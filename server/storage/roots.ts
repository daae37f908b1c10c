import { realpath } from 'node:fs/promises'
import { ROOT } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { StorageDriver } from './driver.ts'
import type { UnfinishedNotes } from './local/temp-names.ts'
import { foldersOverlap, type OtherRoot, openRoot, type Root, type RootOptions } from './open-storage.ts'

/** Milliseconds after which a root that could not be opened is tried again. */
const TRY_AGAIN = 10_000
/** Milliseconds that a request waits for a root that is being opened. */
const OPENING = 5000

export interface RootsDeps {
  roots: readonly OtherRoot[]
  /** The root of `--root`: no other lies in it, or it in another. */
  main: Root
  options: RootOptions
  log: { warn(what: object, text: string): void }
}

interface Known {
  settings: OtherRoot
  opening?: Promise<StorageDriver> | undefined
  store?: StorageDriver
  /** Of its folder when it was opened: another one is another disk. */
  identity?: string | undefined
  /** When opening it failed, in milliseconds since the process began. */
  failedAt?: number | undefined
}

/**
 * The further roots, each opened when it is first used. One that cannot be opened, or whose folder is another one than when
 * it was opened, is `unavailable` and stops no other.
 */
export class Roots {
  readonly #deps: RootsDeps
  readonly #known: ReadonlyMap<string, Known>

  constructor(deps: RootsDeps) {
    this.#deps = deps
    this.#known = new Map(deps.roots.map(settings => [settings.name, { settings }]))
  }

  get list(): readonly OtherRoot[] {
    return this.#deps.roots
  }

  find(name: string): OtherRoot | undefined {
    return this.#known.get(name)?.settings
  }

  /** @throws unavailable */
  async open(name: string): Promise<StorageDriver> {
    const known = this.#known.get(name)
    if (!known) throw new AppError('unavailable', 'the root is not configured')
    const store = known.store ?? (await this.#opened(known))
    if (known.settings.rootFolder !== undefined) await this.#demandSame(known, store)
    return store
  }

  async #opened(known: Known): Promise<StorageDriver> {
    if (known.failedAt !== undefined && performance.now() - known.failedAt < TRY_AGAIN) throw away()
    known.opening ??= this.#open(known).finally(() => {
      known.opening = undefined
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(away()), OPENING).unref()
    })
    return Promise.race([known.opening, late]).finally(() => clearTimeout(timer))
  }

  async #open(known: Known): Promise<StorageDriver> {
    const { settings } = known
    try {
      await this.#demandApart(settings)
      const store = await openRoot(settings.root, this.#optionsFor(settings))
      known.identity = (await store.stat(ROOT))?.identity
      known.store = store
      known.failedAt = undefined
      return store
    } catch (thrown) {
      known.failedAt = performance.now()
      this.#deps.log.warn({ root: settings.name, err: thrown }, 'a root cannot be opened')
      throw away()
    }
  }

  /** @throws unavailable */
  async #demandSame({ settings, identity }: Known, store: StorageDriver): Promise<void> {
    const now = await store.stat(ROOT).catch((thrown: unknown) => {
      if (asAppError(thrown).code === 'unavailable') throw thrown
      return undefined
    })
    if (now?.identity === identity && now !== undefined) return
    this.#deps.log.warn({ root: settings.name }, 'the folder of a root is missing, or another one than at the start')
    throw away()
  }

  /** Links in the path of a folder are known only now. @throws bad_request */
  async #demandApart({ name, rootFolder }: OtherRoot): Promise<void> {
    if (rootFolder === undefined) return
    const own = await realpath(rootFolder)
    const others = [this.#deps.main, ...this.#deps.roots.filter(other => other.name !== name)]
    for (const other of others) {
      const real = other.rootFolder && (await realpath(other.rootFolder).catch(() => undefined))
      if (real && foldersOverlap(own, real)) throw new AppError('bad_request', 'roots must not lie in each other')
    }
  }

  #optionsFor({ name, credentials }: OtherRoot): RootOptions {
    const { options } = this.#deps
    const { notes } = options
    return {
      ...options,
      ...(credentials && { credentials }),
      ...(notes && { notes: notesOf(name, notes) }),
    }
  }
}

/** The settings of a host about roots. */
interface RootsConfig extends Root, Pick<RootOptions, 'fileMode' | 'dirMode' | 'credentials' | 'kernel'> {
  roots: readonly OtherRoot[]
  presignedDownloads: boolean
}

/** The further roots, as configured on this host; `undefined` without any. */
export function openRoots(
  { roots, rootFolder, root, presignedDownloads: presigned, fileMode, dirMode, credentials, kernel }: RootsConfig,
  { stagingKey, notes }: Pick<RootOptions, 'stagingKey' | 'notes'>,
  log: RootsDeps['log'],
): Roots | undefined {
  if (roots.length === 0) return undefined
  const about = {
    presigned,
    credentials,
    ...(fileMode !== undefined && { fileMode }),
    ...(dirMode !== undefined && { dirMode }),
  }
  const options = { stagingKey, ...(notes && { notes }), ...about, ...(kernel && { kernel }) }
  return new Roots({ roots, main: { root, rootFolder }, options, log })
}

const away = () => new AppError('unavailable', 'the root is not available')

/** Begins what is noted of another root. */
const MARK = '//'

/** Notes of unfinished work, with the root in which it is. */
function notesOf(name: string, notes: UnfinishedNotes): UnfinishedNotes {
  const marked = (place: string) => `${MARK}${name}${MARK}${place}`
  return {
    note: place => notes.note(marked(place)),
    noteFolders: folders => notes.noteFolders(folders.map(marked)),
    settleFolders: folders => notes.settleFolders(folders.map(marked)),
  }
}

/** What was noted of another root; nothing for the first one. */
export function notedInRoot(noted: string): { root: string; place: string } | undefined {
  if (!noted.startsWith(MARK)) return undefined
  const end = noted.indexOf(MARK, MARK.length)
  return end < 0 ? undefined : { root: noted.slice(MARK.length, end), place: noted.slice(end + MARK.length) }
}
