import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { type FilePath, nameOf, parentOf, segmentsOf, trustedChild } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { goodOf } from '../appending.ts'
import { holdErrors, receiveAndForget } from '../body.ts'
import type { AppendOptions, ContentCheck, Entry, PublishOptions, Staging, WriteOptions } from '../driver.ts'
import { meetsMatch } from '../preconditions.ts'
import { translated, translating, unlessGone } from './errno.ts'
import { type MadeFolder, settleFolders, syncFolder, unmakeFolders } from './folders.ts'
import { below, type Handle } from './handle.ts'
import { demandFile } from './read.ts'
import { locate, locateFolder, type Place, refuseStagingNames, type Scope } from './resolve-path.ts'
import { versionOf } from './stat-fields.ts'
import { discard, openStaged, type Staged, setModified, setOwnerAndMode } from './temp-file.ts'
import { isStagingName } from './temp-names.ts'
import { findTarget, publish } from './write.ts'
import { REPORT_EVERY, WriteBehind } from './write-behind.ts'

const READ_AT_ONCE = 1024 * 1024
/** A part of an upload by our web client, 10 MiB, is flushed while it arrives. */
const FLUSH_EVERY = 4 * 1024 * 1024

/**
 * Staged files on disk: temporary files in the deepest existing folder of their final path, so that publishing them is
 * a rename. They are identified by their path; the signed name excludes every other file.
 */
export function stagingIn(scope: Scope): Staging {
  return {
    open: file => translating(() => openFor(scope, file)),
    append: (staged, at, body, how) => translating(() => append(scope, staged, at, body, how)),
    publish: (staged, file, how) => publishStaged(scope, staged, file, how),
    discard: staged => translating(() => discardStaged(scope, staged)),
  }
}

async function openFor(scope: Scope, path: FilePath): Promise<string> {
  refuseStagingNames(scope, segmentsOf(path))
  const { handle, canonical } = await nearestFolder(scope, await locate(scope, path))
  try {
    const staged = await openStaged(handle, scope)
    try {
      await syncFolder(handle)
    } catch (thrown) {
      await discard(staged).catch(() => {})
      throw thrown
    } finally {
      // From here on the caller that stores the name is responsible for it.
      scope.unfinished.end(staged.name)
    }
    await staged.file.close()
    return trustedChild(canonical, staged.name)
  } finally {
    handle.close()
  }
}

/** The folder of the staged file: that of the file it replaces, or the deepest existing one. */
async function nearestFolder(scope: Scope, place: Place): Promise<Pick<Place, 'handle' | 'canonical'>> {
  if (place.rest.length > 0 && place.handle.stat.isDirectory()) return place
  place.handle.close()
  if (place.rest.length > 0) throw new AppError('not_a_folder')
  demandFile(place.handle)
  return locateFolder(scope, parentOf(place.canonical))
}

interface Held {
  folder: Handle
  staged: Staged
  size: number
}

/** Opens a staged file again; its folder must still have the same real path. */
async function holdStaged(scope: Scope, staged: string): Promise<Held> {
  const path = staged as FilePath
  const name = nameOf(path)
  if (!isStagingName(scope.stagingKey, name)) throw new AppError('not_found')
  const { handle: folder, canonical } = await locateFolder(scope, parentOf(path))
  try {
    if (canonical !== parentOf(path)) throw new AppError('not_found')
    const at = below(folder, name)
    const file = await open(at, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = await file.stat()
    if (stat.isFile()) return { folder, staged: { file, name, at, published: false }, size: stat.size }
    await file.close()
    throw new AppError('not_found')
  } catch (thrown) {
    folder.close()
    throw thrown
  }
}

async function append(scope: Scope, name: string, at: number, body: Readable, how: AppendOptions): Promise<void> {
  holdErrors(body)
  const { folder, staged, size } = await holdStaged(scope, name)
  try {
    if (size < at) throw new AppError('unavailable', 'the bytes before this part are no longer there')
    if (size > at) await staged.file.truncate(at)
    await new Appender(staged.file, at, how).run(body)
  } finally {
    await staged.file.close()
    folder.close()
  }
}

/** Appends one body, and reports how much of it is durable. */
class Appender {
  readonly #file: FileHandle
  readonly #start: number
  readonly #how: AppendOptions
  readonly #behind: WriteBehind
  #taken = 0

  constructor(file: FileHandle, start: number, how: AppendOptions) {
    this.#file = file
    this.#start = start
    this.#how = how
    const reporting = how.check ? {} : { reportEvery: REPORT_EVERY }
    const flushed = (end: number) => how.kept(end)
    this.#behind = new WriteBehind(file, { at: start, flushEvery: FLUSH_EVERY, ...reporting, flushed })
  }

  async run(body: Readable): Promise<void> {
    const { check } = this.#how
    try {
      await receiveAndForget(body, { ...this.#how, partial: true }, piece => this.#take(piece))
      check?.end()
    } catch (thrown) {
      const error = translated(thrown)
      const good = goodOf(this.#how, error)
      if (good === undefined) await this.#behind.salvage()
      else await this.#keepOnly(good)
      throw error
    }
    await this.#behind.flush()
  }

  async #take(piece: Buffer): Promise<void> {
    this.#taken += piece.length
    if (this.#taken > this.#how.most) throw new AppError('body_too_large')
    await this.#behind.take(piece)
    this.#how.check?.piece(piece)
  }

  /** After a disk error none of this body counts as durable. */
  async #keepOnly(good: number): Promise<void> {
    const isWritten = await this.#behind.settle().then(
      () => true,
      () => false,
    )
    const end = this.#start + (isWritten ? good : 0)
    await this.#file.truncate(end)
    await this.#file.datasync()
    await this.#how.kept(end)
  }
}

async function publishStaged(scope: Scope, name: string, path: FilePath, how: PublishOptions): Promise<Entry> {
  const made: MadeFolder[] = []
  try {
    refuseStagingNames(scope, segmentsOf(path))
    const held = await holdStaged(scope, name)
    try {
      if (held.size !== how.length) throw new AppError('incomplete_body')
      if (how.check) await examine(held.staged.file, how.check)
      const entry = await publishHeld(scope, held.staged, path, how, made)
      await settleFolders(scope, made)
      return entry
    } finally {
      await held.staged.file.close()
      held.folder.close()
    }
  } catch (thrown) {
    await unmakeFolders(scope, made)
    throw translated(thrown)
  }
}

/** Passes a whole file to a check. */
async function examine(file: FileHandle, check: ContentCheck): Promise<void> {
  const buffer = Buffer.allocUnsafe(READ_AT_ONCE)
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, at)
    if (bytesRead === 0) return check.end()
    check.piece(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
}

async function publishHeld(scope: Scope, staged: Staged, path: FilePath, how: WriteOptions, made: MadeFolder[]) {
  const target = await findTarget(scope, path, made)
  const { standing } = target
  try {
    if (standing && how.ifAbsent) throw new AppError('exists')
    if (!meetsMatch(standing && versionOf(standing), how.ifMatch)) throw new AppError('precondition_failed')
    await setOwnerAndMode(staged.file, standing, how.mode === undefined ? scope.fileMode : how.mode & 0o777)
    if (how.modified !== undefined) await setModified(staged.file, how.modified)
    await staged.file.sync()
    return await publish(scope, path, target, staged, how)
  } finally {
    target.folder.close()
  }
}

async function discardStaged(scope: Scope, name: string): Promise<void> {
  const held = await unlessGone(holdStaged(scope, name))
  if (!held) return
  await discard(held.staged).finally(() => held.folder.close())
}
