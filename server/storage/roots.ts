import { realpath, stat } from 'node:fs/promises'
import { ROOT } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { StorageDriver } from './driver.ts'
import { mayBeSame } from './local/stat-fields.ts'
import type { UnfinishedNotes } from './local/temp-names.ts'
import { foldersOverlap, type OtherRoot, openRoot, type Root, type RootOptions } from './open-storage.ts'

/** Milliseconds after which a root that could not be opened is tried again. */
const TRY_AGAIN = 10_000
/** Milliseconds between two looks at the file that names the roots. */
const LOOK_AGAIN = 1000
/** Milliseconds that a request waits for a root that is being opened. */
const OPENING = 5000

/** What was in the place of a root when it was first opened, or accepted. */
export interface SeenRoot {
  /** As configured: another place is another root. */
  place: string
  identity: string
}

/** Remembers that beyond restarts, for all servers. */
export interface SeenRoots {
  find(name: string): Promise<SeenRoot | undefined>
  keep(name: string, seen: SeenRoot): Promise<void>
  /** The same of another disk: share links into the one before are paused. */
  exchange(name: string, seen: SeenRoot): Promise<void>
}

export interface RootsDeps {
  seen: SeenRoots
  roots: readonly OtherRoot[]
  /** The root of `--root`: no other lies in it, or it in another. */
  main: Root
  options: RootOptions
  /** Names the roots again, if it changes. */
  file?: { path: string; read(): readonly OtherRoot[] } | undefined
  log: Record<'info' | 'warn', (what: object, text: string) => void>
}

interface Known {
  settings: OtherRoot
  opening?: Promise<StorageDriver> | undefined
  store?: StorageDriver | undefined
  /** Of its folder when it was opened: another one is another disk. */
  identity?: string | undefined
  /** Another disk than before was in its place when it was last looked at. */
  isExchanged?: boolean
  /** When opening it failed, in milliseconds since the process began. */
  failedAt?: number | undefined
}

/**
 * The further roots, each opened when it is first used. One that cannot be opened, or whose folder is another one than when
 * it was first opened, is `unavailable` until an administrator accepts that, and stops no other.
 */
export class Roots {
  readonly #deps: RootsDeps
  #known: ReadonlyMap<string, Known>
  #lookedAt = performance.now()
  #look: Promise<void> | undefined
  /** Of the file, as last seen. */
  #version: string | undefined

  constructor(deps: RootsDeps) {
    this.#deps = deps
    this.#known = new Map(deps.roots.map(settings => [settings.name, { settings }]))
    this.#look = this.#versionNow().then(version => {
      this.#version = version
    })
  }

  get list(): readonly OtherRoot[] {
    return [...this.#known.values()].map(({ settings }) => settings)
  }

  find(name: string): OtherRoot | undefined {
    void this.refresh()
    return this.#known.get(name)?.settings
  }

  /** Reads the roots again if their file has changed since it was last seen. A file that cannot be used changes nothing. */
  async refresh(): Promise<void> {
    if (!this.#deps.file) return
    const isLate = performance.now() - this.#lookedAt >= LOOK_AGAIN
    if (isLate) {
      this.#lookedAt = performance.now()
      this.#look = this.#reread(this.#look)
    }
    await this.#look
  }

  async #reread(before: Promise<void> | undefined): Promise<void> {
    await before
    const { file, log } = this.#deps
    const version = await this.#versionNow()
    if (!file || version === undefined || version === this.#version) return
    this.#version = version
    try {
      this.#replace(file.read())
    } catch (thrown) {
      log.warn({ err: thrown }, 'the configuration file has changed and cannot be used: the roots stay as they are')
    }
  }

  /** Roots that stay the same stay open. */
  #replace(roots: readonly OtherRoot[]): void {
    const known = this.#known
    this.#known = new Map(
      roots.map(settings => {
        const before = known.get(settings.name)
        const isSame = JSON.stringify(before?.settings) === JSON.stringify(settings)
        return [settings.name, before && isSame ? before : { settings }]
      }),
    )
    this.#deps.log.info(
      { roots: [...this.#known.keys()] },
      'the configuration file has changed: these are the roots now',
    )
  }

  async #versionNow(): Promise<string | undefined> {
    const { file } = this.#deps
    const now = file && (await stat(file.path).catch(() => undefined))
    return now && `${now.ino} ${now.size} ${now.mtimeMs}`
  }

  /** @throws unavailable */
  async open(name: string): Promise<StorageDriver> {
    const known = this.#known.get(name)
    if (!known) throw new AppError('unavailable', 'the root is not configured')
    const store = known.store ?? (await this.#opened(known))
    if (known.settings.rootFolder === undefined || (await this.#isSame(known, store))) return store
    known.store = undefined
    return this.#opened(known)
  }

  /** Whether another disk than before was in the place of a root when it was last looked at. */
  isExchanged(name: string): boolean {
    return this.#known.get(name)?.isExchanged ?? false
  }

  /** The roots in whose place another disk is, for the diagnostics. */
  async findings(): Promise<{ code: 'rootExchanged'; what: string }[]> {
    return this.list.flatMap(({ name }) => (this.isExchanged(name) ? [{ code: 'rootExchanged', what: name }] : []))
  }

  /** Takes what is in the place of a root now for the root. @throws unavailable, not_found */
  async accept(name: string): Promise<void> {
    const settings = this.#known.get(name)?.settings
    if (!settings) throw new AppError('not_found')
    const { identity } = await this.#read(settings).catch(() => {
      throw away()
    })
    if (identity !== undefined) await this.#deps.seen.exchange(name, { place: settings.root, identity })
    this.#known = new Map([...this.#known, [name, { settings }]])
  }

  async #opened(known: Known): Promise<StorageDriver> {
    if (known.failedAt !== undefined && performance.now() - known.failedAt < TRY_AGAIN) throw awayAs(known)
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
    known.isExchanged = false
    try {
      const { store, identity } = await this.#read(settings)
      await this.#demandSeen(known, identity)
      known.identity = identity
      known.store = store
      known.failedAt = undefined
      return store
    } catch (thrown) {
      known.failedAt = performance.now()
      this.#deps.log.warn({ root: settings.name, err: thrown }, 'a root cannot be opened')
      throw awayAs(known)
    }
  }

  async #read(settings: OtherRoot): Promise<{ store: StorageDriver; identity: string | undefined }> {
    await this.#demandApart(settings)
    const store = await openRoot(settings.root, this.#optionsFor(settings))
    const identity = settings.rootFolder === undefined ? undefined : (await store.stat(ROOT))?.identity
    return { store, identity }
  }

  /** A disk may have been exchanged while no server ran. @throws unavailable */
  async #demandSeen(known: Known, identity: string | undefined): Promise<void> {
    const { name, root: place } = known.settings
    if (identity === undefined) return
    const before = await this.#deps.seen.find(name)
    const isPlace = before?.place === place
    known.isExchanged = isPlace && !mayBeSame(before.identity, identity)
    if (known.isExchanged) throw exchanged()
    if (!isPlace || before.identity !== identity) await this.#deps.seen.keep(name, { place, identity })
  }

  /** Whether the folder is still the one that was opened; else whether it was accepted since. @throws unavailable */
  async #isSame(known: Known, store: StorageDriver): Promise<boolean> {
    const { name, root: place } = known.settings
    const now = await store.stat(ROOT).catch((thrown: unknown) => {
      if (asAppError(thrown).code === 'unavailable') throw thrown
      return undefined
    })
    known.isExchanged = now !== undefined && now.identity !== known.identity
    if (now && !known.isExchanged) return true
    const seen = now && (await this.#deps.seen.find(name))
    if (seen?.place === place && seen.identity === now?.identity) return false
    this.#deps.log.warn({ root: name }, 'the folder of a root is missing, or another one than before')
    throw awayAs(known)
  }

  /** Links in the path of a folder are known only now. @throws bad_request */
  async #demandApart({ name, rootFolder }: OtherRoot): Promise<void> {
    if (rootFolder === undefined) return
    const own = await realpath(rootFolder)
    const others = [this.#deps.main, ...this.list.filter(other => other.name !== name)]
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
  rootsFile?: RootsDeps['file']
  presignedDownloads: boolean
}

/** The further roots, as configured on this host; `undefined` where there are none and cannot be. */
export function openRoots(
  {
    roots,
    rootsFile: file,
    rootFolder,
    root,
    presignedDownloads: presigned,
    fileMode,
    dirMode,
    credentials,
    kernel,
  }: RootsConfig,
  { stagingKey, notes, seen }: Pick<RootOptions, 'stagingKey' | 'notes'> & Pick<RootsDeps, 'seen'>,
  log: RootsDeps['log'],
): Roots | undefined {
  if (roots.length === 0 && !file) return undefined
  const about = {
    presigned,
    credentials,
    ...(fileMode !== undefined && { fileMode }),
    ...(dirMode !== undefined && { dirMode }),
  }
  const options = { stagingKey, ...(notes && { notes }), ...about, ...(kernel && { kernel }) }
  return new Roots({ seen, roots, file, main: { root, rootFolder }, options, log })
}

const away = () => new AppError('unavailable', 'the root is not available')
const exchanged = () => new AppError('unavailable', 'another disk or folder than before is in the place of the root')
const awayAs = ({ isExchanged }: Known) => (isExchanged ? exchanged() : away())

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
