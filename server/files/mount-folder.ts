import { checkName, type FilePath, PathError, parsePath, ROOT } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { StorageDriver } from '../storage/driver.ts'
import type { KnownRoot, KnownRoots } from './mount-place.ts'
import { SHARED_NAME } from './shared-item.ts'

/** The further roots, for administrators. */
export interface OpenableRoots extends KnownRoots {
  readonly list: readonly (KnownRoot & { name: string })[]
  /** Learns of roots that were added to the configuration since the start. */
  refresh(): Promise<void>
  /** @throws unavailable */
  open(name: string): Promise<StorageDriver>
  /** Whether another disk than before was in the place of a root when it was last looked at. */
  isExchanged(name: string): boolean
  /** Takes what is in the place of a root now for the root. @throws unavailable, not_found */
  accept(name: string): Promise<void>
}

/** A further root as it is now. */
export interface RootState {
  name: string
  kind: 'folder' | 'bucket'
  readOnly: boolean
  available: boolean
  /** Another disk than before is in its place. */
  exchanged: boolean
  /** Bytes of its volume, where it has one. */
  room: { total: number; used: number } | undefined
}

/** The further roots as they are now, in the order of the configuration. */
export async function statesOfRoots(roots: OpenableRoots | undefined): Promise<RootState[]> {
  await roots?.refresh()
  return Promise.all(
    (roots?.list ?? []).map(async ({ name, readOnly, rootFolder }) => {
      const kind = rootFolder === undefined ? 'bucket' : 'folder'
      try {
        const store = await roots?.open(name)
        const room = await store?.disk?.usage(ROOT).catch(() => undefined)
        return { name, kind, readOnly, room, available: true, exchanged: false }
      } catch {
        const exchanged = roots?.isExchanged(name) === true
        return { name, kind, readOnly, room: undefined, available: false, exchanged }
      }
    }),
  )
}

/** A folder in a further root. */
export interface WantedFolder {
  root: string
  folder: string
  /** Make it if it is missing. */
  make: boolean
}

/**
 * The folder of a mount, which exists then.
 * @throws AppError `bad_request` for a root that is not configured, for a path that is none and for a missing folder;
 *   `unavailable` for a root that is not there
 */
export async function demandMountFolder(roots: OpenableRoots | undefined, wanted: WantedFolder): Promise<FilePath> {
  const folder = folderIn(wanted.folder)
  await roots?.refresh()
  const root = roots?.find(wanted.root)
  if (!roots || !root) throw new AppError('bad_request', 'root: the configuration names no such root')
  const store = await roots.open(wanted.root).catch((thrown: unknown) => {
    throw new AppError(asAppError(thrown).code, `the root ${wanted.root} cannot be opened`)
  })
  const there = await store.stat(folder)
  if (there?.kind === 'folder') return folder
  if (there) throw new AppError('bad_request', 'folder: is a file')
  if (!wanted.make) throw new AppError('bad_request', 'folder: does not exist in this root')
  if (root.readOnly) throw new AppError('bad_request', 'folder: does not exist, and the root is read only')
  await store.mkdir(folder)
  return folder
}

function folderIn(text: string): FilePath {
  try {
    return parsePath(text)
  } catch (error) {
    if (!(error instanceof PathError)) throw error
    throw new AppError('bad_request', 'folder: is no path in the root')
  }
}

/** @throws AppError `bad_request` unless a mount can have the name */
export function demandMountName(name: string): void {
  try {
    checkName(name)
  } catch (error) {
    if (!(error instanceof PathError)) throw error
    throw new AppError('bad_request', 'name: must be that of a folder')
  }
  if (name.toLowerCase() === SHARED_NAME.toLowerCase()) throw new AppError('bad_request', 'name: cannot be used')
}
