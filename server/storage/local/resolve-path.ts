import { type FilePath, nameOf, parentOf, ROOT, segmentsOf, trustedChild } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { PathGuard } from '../driver.ts'
import { ask } from '../guard.ts'
import { listedName, spelledAsListed } from './case-folding.ts'
import { isCan, isInCan } from './desktop-can.ts'
import { errnoOf, translated } from './errno.ts'
import { type Confinement, type Handle, hold, holdFromTop, statAgain } from './handle.ts'
import type { Kernel } from './kernel/kernel.ts'
import { type NativePath, nativePath } from './native-path.ts'
import { isOwnName, type TempFileRegistry } from './temp-names.ts'

/** A folder on disk that confines all operations, and settings for what is made in it. */
export interface Scope {
  /** The real path of the folder, without a trailing slash (except `/`). */
  readonly root: string
  /** The folder's place in the folder that was opened. */
  readonly base: FilePath
  readonly level: Confinement
  /** Direct system calls; `undefined` where they are not used. */
  readonly kernel: Kernel | undefined
  readonly guard: PathGuard | undefined
  readonly stagingKey: Buffer
  readonly unfinished: TempFileRegistry
  readonly fileMode: number
  readonly dirMode: number
  /** Whether links that lead out are followed; their targets count as lying at the link. */
  readonly followsOut: boolean
  /** The real path of the folder that was opened; the root, or a folder around it. */
  readonly opened: string
  /** A folder that a proxy serves, and the proxy's name for it; see `OpenFile.place`. */
  readonly proxied: { root: string; at: string } | undefined
  /** Patterns of snapshots besides the usual places; `undefined` where snapshots are not shown. */
  readonly snapshots: readonly string[] | undefined
  /** Where deleted things go at the top of a mounted disk: an area of ours, or the trash can of desktop programs. */
  readonly trashPlace: 'own' | 'desktop'
}

/** The deepest existing object on a path, held, and the names missing below it. The owner closes the handle. */
export interface Place {
  handle: Handle
  canonical: FilePath
  /** Names that do not exist; `[]` when the whole path does. */
  rest: readonly string[]
}

/** After these errors on opening a path, its existing part decides the result. */
const SEARCHED_ON = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EACCES', 'ENAMETOOLONG'])

/**
 * Resolves a path to its real place, and holds it. A refusal does not reveal whether the last name exists.
 * @throws outside_scope, forbidden, not_found (the root itself is missing)
 */
export async function locate(scope: Scope, path: FilePath): Promise<Place> {
  const { handle, rest, failure } = await holdDeepest(scope, path)
  try {
    const names = segmentsOf(path)
    const found = await canonicalOf(scope, handle, names.slice(0, names.length - rest.length))
    const canonical = scope.guard ? await spelledAsListed(scope.root, found) : found
    await refuseBrokenLink(handle, rest)
    const goal = rest.reduce(trustedChild, canonical)
    ask(scope.guard, goal)
    if (failure && isRefusal(failure)) throw translated(failure)
    if (rest[0] !== undefined && isCan(handle.real, rest[0])) throw new AppError('not_found')
    if (isOurs(scope, canonical) || isOursOutside(scope, handle.real)) throw new AppError('not_found')
    return { handle, canonical, rest }
  } catch (thrown) {
    handle.close()
    throw translated(thrown)
  }
}

/** @throws not_found, not_a_folder and what `locate` throws */
export async function locateFolder(scope: Scope, path: FilePath): Promise<Place> {
  const place = await locate(scope, path)
  if (place.rest.length === 0 && place.handle.stat.isDirectory()) return place
  place.handle.close()
  throw new AppError(place.rest.length > 0 ? 'not_found' : 'not_a_folder')
}

/** A name in its held folder, not followed if it is a link. */
export interface Item {
  folder: Handle
  name: string
  /** The folder's canonical path plus the name. */
  canonical: FilePath
}

/**
 * Holds the folder of a directory entry that is to be removed, moved, or described as a link.
 * @throws not_found also when the folder is missing or a file; forbidden, outside_scope
 */
export async function locateItem(scope: Scope, path: FilePath): Promise<Item> {
  const name = nameOf(path)
  const place = await locate(scope, parentOf(path))
  try {
    if (place.rest.length > 0 || !place.handle.stat.isDirectory()) throw new AppError('not_found')
    const listed = scope.guard ? await listedName(place.handle.at, name) : name
    const canonical = trustedChild(place.canonical, listed)
    ask(scope.guard, canonical)
    if (isOurs(scope, canonical) || isOursOutside(scope, `${place.handle.real}/${name}`))
      throw new AppError('not_found')
    return { folder: place.handle, name, canonical }
  } catch (thrown) {
    place.handle.close()
    throw thrown
  }
}

/** @throws bad_path when a path is reserved for this server */
export function refuseReserved(scope: Scope, path: FilePath): void {
  if (isOurs(scope, path)) throw new AppError('bad_path')
}

/** Whether a path is reserved for this server: that of a staging file, an area or a trash can, or in one. */
export function isOurs({ root, stagingKey }: Pick<Scope, 'root' | 'stagingKey'>, path: FilePath): boolean {
  if (segmentsOf(path).some(name => isOwnName(stagingKey, name))) return true
  const from = root === '/' ? '' : root
  return isInCan(from + path, from.length)
}

/** The same for the real path of an object behind a link out, where only a trash can is known by it. */
const isOursOutside = ({ root }: Scope, real: string): boolean => pathInside(root, real) === undefined && isInCan(real)

/** @throws outside_scope unless a held object is below the root, or links out are followed */
export function refuseOutside(scope: Pick<Scope, 'root' | 'followsOut'>, { real }: Pick<Handle, 'real'>): void {
  if (!scope.followsOut && pathInside(scope.root, real) === undefined) throw new AppError('outside_scope')
}

/**
 * The path of a held object below the root; behind a link out, the path of that link plus the requested names.
 * @param names the requested names
 * @throws outside_scope
 */
async function canonicalOf(scope: Scope, handle: Handle, names: readonly string[]): Promise<FilePath> {
  refuseOutside(scope, handle)
  const inside = pathInside(scope.root, handle.real)
  if (inside !== undefined || names.length === 0) return inside ?? ROOT
  const above = await hold(scope.level, realStart(scope, names.slice(0, -1)))
  above.close()
  return trustedChild(await canonicalOf(scope, above, names.slice(0, -1)), names.at(-1) ?? '')
}

/** The path below a root, `undefined` for a path outside it. */
export function pathInside(root: string, real: string): FilePath | undefined {
  if (real === root) return ROOT
  const prefix = root === '/' ? '/' : `${root}/`
  return real.startsWith(prefix) ? (`/${real.slice(prefix.length)}` as FilePath) : undefined
}

/**
 * Exponential search upwards, then bisection: long missing paths take few system calls. Every ancestor of a reachable
 * path is reachable, so there is one deepest.
 */
async function holdDeepest(
  scope: Scope,
  path: FilePath,
): Promise<{ handle: Handle; rest: string[]; failure: unknown }> {
  const names = segmentsOf(path)
  let failure: unknown
  let found: { handle: Handle; depth: number } | undefined
  let missing = names.length + 1
  for (let depth = names.length, step = 1; ; ) {
    try {
      const handle = await holdFromTop(scope, realStart(scope, names.slice(0, depth)))
      found?.handle.close()
      found = { handle, depth }
    } catch (thrown) {
      failure ??= thrown
      if (depth === 0 || !SEARCHED_ON.has(errnoOf(thrown))) {
        found?.handle.close()
        throw translated(thrown)
      }
      missing = depth
    }
    if (found && missing - found.depth === 1) return { handle: found.handle, rest: names.slice(found.depth), failure }
    depth = found ? Math.floor((found.depth + missing) / 2) : Math.max(0, missing - step)
    step *= 2
  }
}

/** The start of a descent from the root, links on it not yet followed. */
function realStart({ root }: Scope, names: readonly string[]): NativePath {
  return nativePath([root === '/' ? '' : root, ...names].join('/') || '/')
}

/** Errors that are final even though the path above exists. */
function isRefusal(failure: unknown): boolean {
  return errnoOf(failure) === 'EACCES' || errnoOf(failure) === 'ENAMETOOLONG'
}

/** A missing name directly below a folder may be a dangling or circular link. */
async function refuseBrokenLink(folder: Handle, rest: readonly string[]): Promise<void> {
  const [name] = rest
  if (name === undefined || !folder.stat.isDirectory()) return
  const there = await statAgain(folder, name)
  if (there?.isSymbolicLink()) throw new AppError('outside_scope')
}
