import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, lstat, open, unlink } from 'node:fs/promises'
import { type FilePath, nameOf, parentOf, trustedChild } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { Entry, KeepReplaced, Published, PublishOptions, ResumableFile } from '../driver.ts'
import { type Copying, demandVersion, refuseAborted, type ShareableFile } from '../write-file.ts'
import { cloneInto } from './clone-file.ts'
import { errnoOf, translated, translating, unlessGone } from './errno.ts'
import { type MadeFolder, makeFolders, settleFolders, syncFolder, unmakeFolders } from './folders.ts'
import { below, type Handle, holdFromTop, statOpen } from './handle.ts'
import { keepReplaced } from './kept/keep-replaced.ts'
import { type NativePath, nativePath } from './native-path.ts'
import { demandFile } from './read.ts'
import { renameNew, renameOver, type Spot } from './rename.ts'
import { type Item, locate, locateFolder, type Place, refuseReserved, type Scope } from './resolve-path.ts'
import { setModified, setOwnerAndMode } from './set-facts.ts'
import { entryOf, isLinkAt } from './stat.ts'
import { factsOf, isSameObject, versionOf } from './stat-fields.ts'
import { isStagingName } from './temp-names.ts'
import { isReportable, linkFile, openUnnamed, publishUnnamed } from './unnamed-file.ts'
import { WriteBehind } from './write-behind.ts'

/** Attempts when a folder vanishes between finding it and using it. */
const ATTEMPTS = 3
const READ_AT_ONCE = 1024 * 1024
/**
 * Begins a file: a temporary one in the deepest existing folder of its final path, so that publishing it is a rename. Where
 * the disk has files without a name, it gets one when it is published: a process killed before leaves nothing.
 * @param waits whether it can be resumed; the caller then stores its name
 */
export function stageFile(scope: Scope, path: FilePath, waits = false): Promise<LocalStagedFile> {
  return untilStable(async () => {
    refuseReserved(scope, path)
    const { handle: folder, canonical } = await nearestFolder(scope, await locate(scope, path))
    try {
      const unnamed = waits ? undefined : await openUnnamed(scope, folder)
      if (unnamed) return new LocalStagedFile(scope, { folder, file: unnamed, waits }, 0)
      const name = await scope.unfinished.begin(scope.stagingKey, folder.real)
      const flags = constants.O_CREAT | constants.O_EXCL | constants.O_RDWR | constants.O_NOFOLLOW
      const file = await open(below(folder, name), flags, 0o600).catch(thrown => {
        scope.unfinished.end(name)
        throw thrown
      })
      return new LocalStagedFile(scope, { folder, file, path: trustedChild(canonical, name), waits }, 0, name)
    } catch (thrown) {
      folder.close()
      throw thrown
    }
  })
}

/** The same for a file that can be resumed, whose name is durable. */
export async function stageResumable(scope: Scope, path: FilePath): Promise<LocalStagedFile> {
  const staged = await stageFile(scope, path, true)
  try {
    await staged.keepName()
    return staged
  } catch (thrown) {
    await staged.discard()
    throw thrown
  }
}

/** See the driver contract. */
export async function discardFile(scope: Scope, name: string): Promise<void> {
  const staged = await unlessGone(resumeFile(scope, name, Number.POSITIVE_INFINITY))
  await staged?.discard()
}

/** Opens a staged file again; its folder must still have the same real path. See the driver contract. */
export function resumeFile(scope: Scope, name: string, size: number): Promise<LocalStagedFile> {
  return translating(async () => {
    const path = name as FilePath
    if (!isStagingName(scope.stagingKey, nameOf(path))) throw new AppError('not_found')
    const { handle: folder, canonical } = await locateFolder(scope, parentOf(path))
    try {
      if (canonical !== parentOf(path)) throw new AppError('not_found')
      const flags = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK
      const file = await open(below(folder, nameOf(path)), flags)
      try {
        const stat = await file.stat()
        if (!stat.isFile()) throw new AppError('not_found')
        if (stat.size > size) await file.truncate(size)
        return new LocalStagedFile(scope, { folder, file, path, waits: true }, Math.min(stat.size, size), nameOf(path))
      } catch (thrown) {
        await file.close()
        throw thrown
      }
    } catch (thrown) {
      folder.close()
      throw thrown
    }
  })
}

interface Held {
  /** Of the temporary name, if it has one; both are closed with the staged file. */
  folder: Handle
  file: FileHandle
  /** Its canonical path, if it was begun with a name. */
  path?: FilePath
  waits: boolean
}

/** A temporary file that is being written. */
class LocalStagedFile implements ResumableFile {
  readonly #scope: Scope
  readonly #held: Held
  #behind: WriteBehind
  #state: 'open' | 'published' | 'closed' = 'open'

  /** The temporary name; `undefined` while it has none. */
  #name: string | undefined

  constructor(scope: Scope, held: Held, size: number, name?: string) {
    this.#scope = scope
    this.#held = held
    this.#name = name
    this.#behind = new WriteBehind(held.file, size)
  }

  get name(): string {
    return this.#held.path ?? ''
  }

  get size(): number {
    return this.#behind.size
  }

  get durable(): number {
    return this.#behind.durable
  }

  /** Gives it a temporary name in the folder of its target, which is then held with it, if it has none. */
  async #takeName(folder: Handle): Promise<void> {
    if (this.#name !== undefined) return
    const name = await this.#scope.unfinished.begin(this.#scope.stagingKey, folder.real)
    try {
      linkFile(this.#scope, this.#held.file, { folder, name })
    } catch (thrown) {
      this.#scope.unfinished.end(name)
      throw thrown
    }
    this.#held.folder.close()
    this.#held.folder = folder
    this.#name = name
  }

  get #spot(): Spot {
    if (this.#name === undefined) throw new AppError('internal')
    return { folder: this.#held.folder, name: this.#name }
  }

  /** Its path, through the folder's handle. */
  get #at(): NativePath {
    return below(this.#held.folder, this.#spot.name)
  }

  keepName(): Promise<void> {
    return translating(() => syncFolder(this.#held.folder))
  }

  append(chunk: Buffer): Promise<void> {
    return translating(() => this.#behind.take(chunk))
  }

  flush(): Promise<void> {
    return translating(() => this.#behind.flush())
  }

  async truncate(size: number): Promise<void> {
    await translating(async () => {
      const end = Math.min(size, await this.#behind.end())
      await this.#held.file.truncate(end)
      this.#behind = new WriteBehind(this.#held.file, end, Math.min(this.durable, end))
    })
  }

  async *read(): AsyncGenerator<Buffer> {
    await translating(() => this.#behind.settle())
    yield* bytesOf(this.#held.file, this.size)
  }

  async share({ descriptor, entry: { size } }: ShareableFile, copying?: Copying): Promise<AsyncGenerator<Buffer>> {
    if (descriptor === undefined || this.#scope.level !== 'handles') throw new AppError('unsupported')
    const { file } = this.#held
    const counted = await cloneInto(file, { descriptor, size }, copying, this.#scope.kernel)
    refuseAborted(copying?.signal)
    await this.#demandLength(size)
    copying?.taken?.(size - counted)
    this.#behind = new WriteBehind(file, size, 0)
    return bytesOf(file, size)
  }

  /** The other file may have been written meanwhile. @throws unsupported, once the file is empty again */
  async #demandLength(length: number): Promise<void> {
    const { file } = this.#held
    if ((await translating(() => file.stat())).size === length) return
    await translating(() => file.truncate(0))
    throw new AppError('unsupported')
  }

  publish(path: FilePath, how: PublishOptions): Promise<Published> {
    return untilStable(async () => {
      if (this.#state !== 'open') throw new AppError('not_found')
      refuseReserved(this.#scope, path)
      if (how.length !== undefined && this.size !== how.length) throw new AppError('incomplete_body')
      await this.#behind.settle()
      const made: MadeFolder[] = []
      try {
        const entry = await this.#publishAt(await findTarget(this.#scope, path, made), path, how)
        await settleFolders(this.#scope, made)
        return Object.assign(entry, { madeFolder: made[0]?.path ?? ('none' as const) })
      } catch (thrown) {
        await unmakeFolders(this.#scope, made)
        throw thrown
      }
    })
  }

  async #publishAt({ folder, name, canonical, standing }: Target, path: FilePath, how: PublishOptions): Promise<Entry> {
    const { file } = this.#held
    const at = below(folder, name)
    try {
      demandVersion(standing && versionOf(standing), how)
      const mode = how.mode === undefined ? this.#scope.fileMode : how.mode & 0o777
      await setOwnerAndMode(file, standing, mode)
      if (how.modified !== undefined) await setModified(file, how.modified)
      if (!how.ifAbsent || !isReportable(mode)) await this.#takeName(folder)
      await file.sync()
      if (how.ifAbsent) await this.#publishNew({ folder, name })
      else if (how.keep) await this.#replaceKept({ folder, name, canonical }, how.keep, how.ifMatch)
      else await renameOver(this.#at, at, how.ifMatch)
      this.#state = 'published'
      const stat = await statOpen(file.fd, folder.real)
      await syncFolder(folder)
      return entryOf(path, canonical, { stat }, await isLinkAt(this.#scope, path, canonical))
    } finally {
      if (folder !== this.#held.folder) folder.close()
    }
  }

  /** @throws exists */
  async #publishNew(target: Spot): Promise<void> {
    if (this.#name === undefined) publishUnnamed(this.#scope, this.#held.file, target)
    else await renameNew(this.#scope, this.#spot, target)
  }

  /** Replaces a file that is kept. The name is never missing. */
  async #replaceKept(target: Item, keep: KeepReplaced, ifMatch: string | undefined): Promise<void> {
    const made = factsOf(await statOpen(this.#held.file.fd, this.#held.folder.real))
    const at = below(target.folder, target.name)
    const kept = await keepReplaced(this.#scope, target, { keep, ifMatch, made })
    // A file that has come there since is kept by the next attempt.
    if (kept === 'absent')
      return this.#publishNew(target).catch(thrown => {
        if (translated(thrown).code !== 'exists') throw thrown
        return this.#replaceKept(target, keep, ifMatch)
      })
    if (!kept) {
      keep.unkept?.()
      return renameOver(this.#at, at, ifMatch)
    }
    try {
      await kept.confirm()
      await renameOver(this.#at, at, undefined)
    } catch (thrown) {
      await kept.undo()
      kept.close()
      throw thrown
    }
    this.#state = 'published'
    await kept.done().finally(() => kept.close())
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return
    try {
      if (this.#state === 'open' && !this.#held.waits) await translating(() => this.#remove())
    } finally {
      this.#state = 'closed'
      await this.#held.file.close()
      this.#held.folder.close()
      if (this.#name !== undefined) this.#scope.unfinished.end(this.#name)
    }
  }

  async discard(): Promise<void> {
    try {
      await translating(() => this.#remove())
    } finally {
      await this.close()
    }
  }

  /** Removes the temporary name if it is still this file's. */
  async #remove(): Promise<void> {
    if (this.#name === undefined) return
    const { file } = this.#held
    try {
      const at = this.#at
      const [own, there] = await Promise.all([file.stat({ bigint: true }), lstat(at, { bigint: true })])
      if (isSameObject(own, there)) await unlink(at)
    } catch (thrown) {
      if (errnoOf(thrown) !== 'ENOENT') throw thrown
    }
  }
}

async function* bytesOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const buffer = Buffer.allocUnsafe(READ_AT_ONCE)
    const { bytesRead } = await translating(() => file.read(buffer, 0, buffer.length, at))
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

/** A concurrent failed write may remove a folder that it made just before this one uses it. */
async function untilStable<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (thrown) {
      const error = translated(thrown)
      if (error.code !== 'not_found' || attempt === ATTEMPTS) throw error
    }
  }
}

/** The folder of a staged file: that of the file it replaces, or the deepest existing one. */
async function nearestFolder(scope: Scope, place: Place): Promise<Pick<Place, 'handle' | 'canonical'>> {
  if (place.rest.length > 0 && place.handle.stat.isDirectory()) return place
  place.handle.close()
  if (place.rest.length > 0) throw new AppError('not_a_folder')
  demandFile(place.handle)
  return locateFolder(scope, parentOf(place.canonical))
}

/** Where a file is to be published; the owner closes the folder. */
interface Target {
  folder: Handle
  /** The final name in it. */
  name: string
  canonical: FilePath
  /** The file to be replaced. */
  standing: BigIntStats | undefined
}

/** Resolves the target of a write; missing folders are made, see `makeFolders`. */
async function findTarget(scope: Scope, path: FilePath, made: MadeFolder[]): Promise<Target> {
  const place = await locate(scope, path)
  if (place.rest.length === 0) return standingTarget(scope, place)
  if (!place.handle.stat.isDirectory()) {
    place.handle.close()
    throw new AppError('not_a_folder')
  }
  const { handle, canonical } = await makeFolders(scope, place, place.rest.slice(0, -1), made)
  return {
    folder: handle,
    name: nameOf(path),
    canonical: trustedChild(canonical, nameOf(path)),
    standing: undefined,
  }
}

/** A link has been resolved to the file that will be replaced. */
async function standingTarget(scope: Scope, { handle, canonical }: Place): Promise<Target> {
  try {
    demandFile(handle)
  } finally {
    handle.close()
  }
  const real = handle.real as FilePath
  const folder = await holdFromTop(scope, nativePath(parentOf(real)))
  if (folder.real === parentOf(real)) return { folder, name: nameOf(real), canonical, standing: handle.stat }
  folder.close()
  throw new AppError('outside_scope')
}
