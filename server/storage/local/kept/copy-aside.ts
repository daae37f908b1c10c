import { type BigIntStats, constants } from 'node:fs'
import {
  type FileHandle,
  lstat,
  lutimes,
  mkdir,
  open,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
} from 'node:fs/promises'
import { type FilePath, ROOT } from '../../../../shared/path.ts'
import { AppError } from '../../../errors.ts'
import type { CopyAside } from '../../kept.ts'
import { errnoOf } from '../errno.ts'
import { syncFolder } from '../folders.ts'
import { below, type Handle, hold } from '../handle.ts'
import { type NativePath, nativePath } from '../native-path.ts'
import { isKept } from '../remove.ts'
import type { Spot } from '../rename.ts'
import type { Item, Scope } from '../resolve-path.ts'
import { identityOf } from '../stat-fields.ts'
import { walkTree } from '../tree.ts'
import type { OpenArea } from './area.ts'

/** Milliseconds for which the size of what is too large is counted. */
const COUNTED_FOR = 5000
/** Bytes copied at a time. */
const CHUNK = 2 ** 20

/**
 * Keeps a copy of an entry that no rename can take to the area, and then removes from the entry's place what the copy has.
 * What changed there in the meantime stays.
 * @throws too_far, with the bytes if they are known; no_trash for special files; unavailable when something stayed
 */
export async function copyAside(scope: Scope, item: Item, area: OpenArea, name: string, how: CopyAside): Promise<void> {
  await demandCopiable(scope, item, how)
  const kept = `${area.files.at}/${name}`
  await copyThrough(scope, item, area.top, how, staged => rename(below(staged.folder, staged.name), nativePath(kept)))
  await Promise.all([area.files, area.top].map(syncFolder))
  await how.copied(identityOf(await lstat(nativePath(kept), { bigint: true })))
  await removeCopied(scope, item, kept)
}

/**
 * Gives a kept entry a path to which no rename leads: a copy of it appears there, and then it is removed.
 * @param publish gives the copy its name; nothing may stand there
 * @throws exists, and unavailable when something changed during the copy, and stays
 */
export async function copyBack(
  scope: Scope,
  source: Item,
  goal: Item,
  publish: (staged: Spot) => Promise<void>,
): Promise<void> {
  await copyThrough(scope, source, goal.folder, {}, publish)
  await syncFolder(goal.folder)
  await removeCopied(scope, source, `${goal.folder.at}/${goal.name}`)
}

/** Copies to a temporary name, which a killed process leaves to the clean-up. */
async function copyThrough(
  scope: Scope,
  item: Item,
  folder: Handle,
  how: CopyProgress,
  publish: (staged: Spot) => Promise<void>,
): Promise<void> {
  const temporary = await scope.unfinished.begin(scope.stagingKey, folder.real)
  try {
    await copyEntry(scope, item, `${folder.at}/${temporary}`, how)
    await publish({ folder, name: temporary })
  } catch (thrown) {
    await rm(below(folder, temporary), { recursive: true, force: true }).catch(() => {})
    throw thrown
  } finally {
    scope.unfinished.end(temporary)
  }
}

type CopyProgress = Pick<CopyAside, 'signal' | 'progress'>

/** @throws too_far, no_trash, and unavailable for a folder with deleted items of its own */
async function demandCopiable(scope: Scope, item: Item, { mayCopy, signal }: CopyAside): Promise<void> {
  const until = performance.now() + COUNTED_FOR
  let bytes = 0
  let known = true
  await eachLeaf(scope, item, async (folder, names, path) => {
    signal?.throwIfAborted()
    if (names.some(name => isKept(scope, `${item.canonical}${path}/${name}` as FilePath)))
      throw new AppError('unavailable', 'a folder in it has deleted items of its own')
    known &&= bytes <= mayCopy || performance.now() < until
    if (!known) return
    for (const name of names) {
      const stat = await lstat(below(folder, name))
      if (!stat.isFile() && !stat.isSymbolicLink()) throw new AppError('no_trash')
      if (stat.isFile()) bytes += stat.size
    }
  })
  if (bytes > mayCopy) throw new AppError('too_far', 'too_far', known ? { bytes } : {})
}

/** Visits the files and links of an entry, folder by folder; the path is that of the folder, relative to the entry. */
async function eachLeaf(
  { level }: Scope,
  { folder, name }: Item,
  visit: (folder: Handle, names: readonly string[], path: string) => Promise<void>,
  left?: (parent: Handle, name: string) => Promise<void>,
): Promise<void> {
  const top = await hold(level, below(folder, name), true)
  if (!top.stat.isDirectory()) {
    top.close()
    return visit(folder, [name], '')
  }
  await walkTree(level, top, ROOT, {
    leaves: (inner, names, path) => visit(inner, names, path === ROOT ? '' : path),
    ...(left && { left }),
  })
}

async function copyEntry(scope: Scope, item: Item, to: string, how: CopyProgress): Promise<void> {
  const folders: { at: string; stat: BigIntStats }[] = []
  const isFolder = (await lstat(below(item.folder, item.name))).isDirectory()
  await eachLeaf(scope, item, async (folder, names, path) => {
    const goal = `${to}${path}`
    if (isFolder) {
      await mkdir(nativePath(goal), 0o700)
      folders.push({ at: goal, stat: folder.stat })
    }
    for (const name of names) await copyLeaf(scope, folder, name, nativePath(isFolder ? `${goal}/${name}` : goal), how)
  })
  // A folder's time changes with its content, so the deepest come first.
  for (const { at, stat } of folders.toReversed()) {
    const handle = await open(nativePath(at), constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      await takeFacts(handle, stat)
    } finally {
      await handle.close()
    }
  }
}

async function copyLeaf(scope: Scope, folder: Handle, name: string, to: NativePath, how: CopyProgress): Promise<void> {
  how.signal?.throwIfAborted()
  const source = await hold(scope.level, below(folder, name), true)
  try {
    if (source.stat.isSymbolicLink()) {
      await symlink(await readlink(below(folder, name), 'buffer'), to)
      return await lutimes(to, seconds(source.stat.atimeNs), seconds(source.stat.mtimeNs))
    }
    if (!source.stat.isFile()) throw new AppError('no_trash')
    const from = await open(nativePath(source.at), constants.O_RDONLY)
    const copy = await open(to, 'wx+', 0o600)
    try {
      await copyBytes(from, copy, how)
      await takeFacts(copy, source.stat)
      await demandSame(from, copy, how)
    } finally {
      await Promise.all([from.close(), copy.close()])
    }
  } finally {
    source.close()
  }
}

async function copyBytes(from: FileHandle, to: FileHandle, { signal, progress }: CopyProgress): Promise<void> {
  const chunk = Buffer.allocUnsafe(CHUNK)
  for (let at = 0; ; ) {
    signal?.throwIfAborted()
    const { bytesRead } = await from.read(chunk, 0, CHUNK, at)
    if (bytesRead === 0) return
    await to.writeFile(chunk.subarray(0, bytesRead))
    progress?.(bytesRead)
    at += bytesRead
  }
}

/** Reads a copy again, which the source gives way to. @throws unavailable when its content is another one */
async function demandSame(source: FileHandle, copy: FileHandle, { signal }: CopyProgress): Promise<void> {
  const [ours, theirs] = [Buffer.allocUnsafe(CHUNK), Buffer.allocUnsafe(CHUNK)]
  for (let at = 0; ; ) {
    signal?.throwIfAborted()
    const [read, copied] = await Promise.all([source.read(ours, 0, CHUNK, at), copy.read(theirs, 0, CHUNK, at)])
    if (!ours.subarray(0, read.bytesRead).equals(theirs.subarray(0, copied.bytesRead)))
      throw new AppError('unavailable', 'the copy has another content than its source')
    if (read.bytesRead === 0) return
    at += read.bytesRead
  }
}

/** Gives a copy the owner, mode and times of its original, as far as the account may, and makes it durable. */
async function takeFacts(copy: FileHandle, { uid, gid, mode, atimeNs, mtimeNs }: BigIntStats): Promise<void> {
  await copy.chown(Number(uid), Number(gid)).catch(() => {})
  await copy.chmod(Number(mode) & 0o7777)
  await copy.utimes(seconds(atimeNs), seconds(mtimeNs))
  await copy.sync()
}

const seconds = (nanoseconds: bigint): number => Number(nanoseconds / 1000n) / 1e6

/** Removes what is the same in the copy. @throws unavailable when something is not, and stays */
async function removeCopied(scope: Scope, item: Item, copy: string): Promise<void> {
  const isFolder = (await lstat(nativePath(copy))).isDirectory()
  let stayed = false
  const removeLeaves = async (folder: Handle, names: readonly string[], path: string) => {
    for (const name of names) {
      const at = below(folder, name)
      if (await looksCopied(at, nativePath(isFolder ? `${copy}${path}/${name}` : copy))) await unlink(at)
      else stayed = true
    }
  }
  const removeFolder = async (parent: Handle, name: string) => {
    stayed = !(await removedFolder(below(parent, name))) || stayed
  }
  await eachLeaf(scope, item, removeLeaves, removeFolder)
  if (isFolder) await removeFolder(item.folder, item.name)
  if (stayed) throw new AppError('unavailable', 'it was changed during the copy; what changed stays where it was')
}

async function looksCopied(at: NativePath, copy: NativePath): Promise<boolean> {
  const [ours, theirs] = await Promise.all([at, copy].map(path => lstat(path).catch(() => undefined)))
  if (!ours || !theirs) return false
  const isSameTime = Math.abs(ours.mtimeMs - theirs.mtimeMs) < 1
  return ours.isFile() === theirs.isFile() && ours.size === theirs.size && isSameTime
}

/** @returns whether the folder was empty, and is removed */
async function removedFolder(at: NativePath): Promise<boolean> {
  try {
    await rmdir(at)
    return true
  } catch (thrown) {
    if (errnoOf(thrown) === 'ENOTEMPTY') return false
    throw thrown
  }
}
