import type { BigIntStats } from 'node:fs'
import type { Readable } from 'node:stream'
import { type FilePath, nameOf, parentOf, segmentsOf, trustedChild } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import { holdErrors, receiveAndForget, refuseAborted } from '../body.ts'
import type { Entry, WriteOptions } from '../driver.ts'
import { meetsMatch } from '../preconditions.ts'
import { translated } from './errno.ts'
import { type MadeFolder, makeFolders, settleFolders, syncFolder, unmakeFolders } from './folders.ts'
import { below, type Handle, hold, statOpen } from './handle.ts'
import { type NativePath, nativePath } from './native-path.ts'
import { demandFile } from './read.ts'
import { renameNew, renameOver } from './rename.ts'
import { locate, type Place, refuseStagingNames, type Scope } from './resolve-path.ts'
import { entryOf, isLinkAt } from './stat.ts'
import { versionOf } from './stat-fields.ts'
import { discard, openStaged, type Staged, setModified, setOwnerAndMode } from './temp-file.ts'
import { WriteBehind } from './write-behind.ts'

/** Where a file is to be published; the owner closes the folder. */
export interface Target {
  folder: Handle
  /** Path of the final name, through the folder's handle. */
  at: NativePath
  canonical: FilePath
  /** The file to be replaced. */
  standing: BigIntStats | undefined
}

/** Bytes after which written data is flushed: some milliseconds' worth. */
const FLUSH_EVERY = 8 * 1024 * 1024
/** Attempts when a folder vanishes between finding it and using it. */
const ATTEMPTS = 3

/** Writes a whole file, all or nothing; see the driver contract. */
export async function writeFile(scope: Scope, path: FilePath, body: Readable, how: WriteOptions): Promise<Entry> {
  holdErrors(body)
  const made: MadeFolder[] = []
  try {
    refuseAborted(how.signal)
    refuseStagingNames(scope, segmentsOf(path))
    const { target, staged } = await prepare(scope, path, how, made)
    try {
      await fill(scope, target, staged, body, how)
      const entry = await publish(scope, path, target, staged, how)
      await settleFolders(scope, made)
      return entry
    } finally {
      await discard(staged).finally(() => {
        target.folder.close()
        scope.unfinished.end(staged.name)
      })
    }
  } catch (thrown) {
    await unmakeFolders(scope, made)
    throw translated(thrown)
  }
}

/** A concurrent failed upload may remove a folder it made just before this one uses it. */
async function prepare(scope: Scope, path: FilePath, how: WriteOptions, made: MadeFolder[]) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await stage(scope, await findTarget(scope, path, made), how)
    } catch (thrown) {
      const error = translated(thrown)
      if (error.code !== 'not_found' || attempt === ATTEMPTS) throw error
    }
  }
}

/** Checks the preconditions known before the body arrives, then opens the temporary file. */
async function stage(
  scope: Scope,
  target: Target,
  { ifAbsent, ifMatch }: WriteOptions,
): Promise<{ target: Target; staged: Staged }> {
  const { standing, folder } = target
  try {
    if (standing && ifAbsent) throw new AppError('exists')
    if (!meetsMatch(standing && versionOf(standing), ifMatch)) throw new AppError('precondition_failed')
    return { target, staged: await openStaged(folder, scope) }
  } catch (thrown) {
    folder.close()
    throw thrown
  }
}

/** Resolves the target of a write; missing folders are made, see `makeFolders`. */
export async function findTarget(scope: Scope, path: FilePath, made: MadeFolder[]): Promise<Target> {
  const place = await locate(scope, path)
  if (place.rest.length === 0) return standingTarget(scope, place)
  if (!place.handle.stat.isDirectory()) {
    place.handle.close()
    throw new AppError('not_a_folder')
  }
  const { handle, canonical } = await makeFolders(scope, place, place.rest.slice(0, -1), made)
  return {
    folder: handle,
    at: below(handle, nameOf(path)),
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
  const folder = await hold(scope.level, nativePath(parentOf(real)))
  if (folder.real === parentOf(real))
    return { folder, at: below(folder, nameOf(real)), canonical, standing: handle.stat }
  folder.close()
  throw new AppError('outside_scope')
}

async function fill(scope: Scope, target: Target, { file }: Staged, body: Readable, how: WriteOptions): Promise<void> {
  const behind = new WriteBehind(file, { at: 0, flushEvery: FLUSH_EVERY })
  await receiveAndForget(body, how, piece => behind.take(piece))
  await behind.settle()
  await setOwnerAndMode(file, target.standing, how.mode === undefined ? scope.fileMode : how.mode & 0o777)
  if (how.modified !== undefined) await setModified(file, how.modified)
  await file.sync()
  refuseAborted(how.signal)
}

/** Publishes a staged file under its final name, durably. */
export async function publish(
  scope: Scope,
  path: FilePath,
  { folder, at, canonical }: Target,
  staged: Staged,
  how: WriteOptions,
): Promise<Entry> {
  const decide = async (): Promise<Entry> => {
    if (how.ifAbsent) await renameNew(staged.at, at)
    else await renameOver(staged.at, at, how.ifMatch)
    staged.published = true
    const stat = await statOpen(staged.file.fd, folder.real)
    await syncFolder(folder)
    return entryOf(path, canonical, { stat }, await isLinkAt(scope, path, canonical))
  }
  return how.publish ? how.publish(decide) : decide()
}
