import { statfsSync } from 'node:fs'
import { mkdir, statfs } from 'node:fs/promises'
import { type FilePath, joinPath, ROOT } from '../../shared/path.ts'
import { AppError } from '../errors.ts'
import type { HeldRoot, PathGuard, StorageDriver, Usage } from './driver.ts'
import { innerGuard } from './guard.ts'
import { attributesIn } from './local/attributes.ts'
import { batchReader } from './local/batch.ts'
import { sweepFolder, sweepPlace } from './local/cleanup.ts'
import { translated, translating } from './local/errno.ts'
import { makeFolder, setFolderMode } from './local/folders.ts'
import { type Confinement, confinementLevel, type Handle, hold } from './local/handle.ts'
import { keptIn } from './local/kept/kept.ts'
import { type KernelChoice, kernelState } from './local/kernel/open-kernel.ts'
import { linkOver } from './local/link-over.ts'
import { listFolder, sortFolder } from './local/list.ts'
import { answersAtOnce } from './local/mounts.ts'
import { movePath } from './local/move.ts'
import { nativePath } from './local/native-path.ts'
import { openRead } from './local/read.ts'
import { removePath } from './local/remove.ts'
import { locateFolder, pathInside, type Scope } from './local/resolve-path.ts'
import { rightsAt } from './local/rights.ts'
import { scanBelow } from './local/scan.ts'
import { setTime } from './local/set-time.ts'
import { snapshotsIn } from './local/snapshots/snapshots.ts'
import { discardFile, resumeFile, stageFile, stageResumable } from './local/staged-file.ts'
import { stagedTreesIn } from './local/staged-folders.ts'
import { statPath } from './local/stat.ts'
import { TempFileRegistry, type UnfinishedNotes } from './local/temp-names.ts'
import { watchFolder } from './local/watch.ts'

export { cacheInFolder } from './local/cache-store.ts'
export { type Confinement, confinementLevel } from './local/handle.ts'
export { type KernelChoice, type KernelState, kernelState } from './local/kernel/open-kernel.ts'

export interface LocalOptions {
  /** The root directory; links in its path are resolved once, on opening. */
  root: string
  /** Creates the root when it is missing. Default: no. */
  create?: boolean
  /** Permission bits of new files, whatever the umask. */
  fileMode?: number
  /** Permission bits of new folders, less the umask. */
  dirMode?: number
  /** Secret that marks temporary files as ours; the same for all stores of an installation. */
  stagingKey: Buffer
  /** Records unfinished work, so that leftovers of a killed process are found later. */
  notes?: UnfinishedNotes
  /** Follows links out of the root and of stores within. Default: no. */
  followsOut?: boolean
  /** The reverse proxy's path of the root, with a slash at either end. Default: files are not sent by a proxy. */
  proxied?: string
  /** Patterns of snapshots besides the usual places, see `findSnapshots`. Default: snapshots are not shown. */
  snapshots?: readonly string[] | undefined
  /** `desktop`: deleted things go to the trash can of desktop programs where a disk is mounted. Default: `own`. */
  trashPlace?: 'own' | 'desktop'
  /** `off`: the kernel is never called directly. Default: `auto`, where a self-test allows it. */
  kernel?: KernelChoice
  /** Default: the strongest level that this system allows. */
  confinement?: Confinement
}

const FILE_MODE = 0o640
const DIR_MODE = 0o750

/**
 * A directory on this host as a store.
 * @throws not_found, not_a_folder
 */
export async function openLocal(options: LocalOptions): Promise<StorageDriver> {
  const level = options.confinement ?? confinementLevel()
  const dirMode = options.dirMode ?? DIR_MODE
  if (options.create) await translating(() => mkdir(options.root, { recursive: true, mode: dirMode }))
  const handle = await translating(() => hold(level, options.root))
  handle.close()
  return driverOf({
    root: rootOf(handle),
    base: ROOT,
    level,
    kernel: kernelState(options.kernel).calls,
    guard: undefined,
    stagingKey: options.stagingKey,
    unfinished: new TempFileRegistry(options.notes),
    fileMode: options.fileMode ?? FILE_MODE,
    dirMode,
    followsOut: options.followsOut ?? false,
    opened: rootOf(handle),
    snapshots: options.snapshots,
    trashPlace: options.trashPlace ?? 'own',
    proxied: options.proxied ? { root: rootOf(handle), at: options.proxied } : undefined,
  })
}

function driverOf(scope: Scope): StorageDriver {
  const rootPath = pathInside(scope.opened, scope.root)
  return {
    stat: path => statPath(scope, path),
    list: folder => listFolder(scope, folder),
    sorted: (folder, sorting, each) => sortFolder(scope, folder, sorting, each),
    read: file => openRead(scope, file),
    stage: file => stageFile(scope, file),
    mkdir: folder => makeFolder(scope, folder),
    remove: (path, how) => removePath(scope, path, how),
    move: (from, to, how) => movePath(scope, from, to, how),
    within: (folder, guard) => storeIn(scope, folder, guard),
    resumable: {
      stage: file => stageResumable(scope, file),
      resume: (name, size) => resumeFile(scope, name, size),
      discard: name => discardFile(scope, name),
    },
    trees: stagedTreesIn(scope, driverOf),
    scan: { names: (folder, words) => scanBelow(scope, folder, words), hasSizes: false },
    placeInRoot: canonical => rootPath && joinPath(rootPath, canonical),
    kept: keptIn(scope, driverOf),
    ...(scope.snapshots && { snapshots: snapshotsIn(scope, scope.snapshots, driverOf) }),
    disk: {
      usage: folder => usageOf(scope, folder),
      rights: path => rightsAt(scope, path),
      setMode: (folder, mode) => setFolderMode(scope, folder, mode),
      setTime: (path, modified) => setTime(scope, path, modified),
      linkOver: (path, how) => linkOver(scope, path, how),
      pathOf: path => localPath(scope, path),
      holdRoot: () => holdRoot(scope),
      batchReader: () => batchReader(scope),
      watch: (folder, notify) => watchFolder(scope, folder, notify),
      ...(scope.kernel && scope.level === 'handles' && { attributes: attributesIn(scope, scope.kernel) }),
    },
    cleanup: {
      sweep: (place, how) => sweepPlace(scope, place, how),
      sweepFolder: (folder, madeAt) => sweepFolder(scope, folder, madeAt),
    },
  }
}

function localPath({ root }: Scope, path: FilePath): string {
  const real = joinPath(root as FilePath, path)
  if (!real.isWellFormed()) throw new AppError('unsupported')
  return real
}

async function holdRoot(scope: Scope): Promise<HeldRoot> {
  const { handle } = await locateFolder({ ...scope, guard: undefined }, ROOT)
  return { descriptor: handle.descriptor, close: () => handle.close() }
}

async function storeIn(scope: Scope, folder: FilePath, guard: PathGuard | undefined): Promise<StorageDriver> {
  // Operations in the root find out whether it still exists.
  if (folder === ROOT && !scope.guard) return driverOf({ ...scope, guard })
  const { handle, canonical } = await locateFolder(scope, folder)
  handle.close()
  const base = joinPath(scope.base, canonical)
  return driverOf({ ...scope, root: rootOf(handle), base, guard: innerGuard(scope.guard, canonical, guard) })
}

async function usageOf(scope: Scope, folder: FilePath): Promise<Usage> {
  const { handle } = await locateFolder(scope, folder)
  try {
    const at = nativePath(handle.at)
    const { blocks, bfree, bsize } = answersAtOnce(handle.real) ? statfsSync(at) : await statfs(at)
    return { total: blocks * bsize, used: (blocks - bfree) * bsize }
  } catch (thrown) {
    throw translated(thrown)
  } finally {
    handle.close()
  }
}

/** The real path of a folder that becomes a root. */
function rootOf({ real, stat }: Handle): string {
  if (!stat.isDirectory()) throw new AppError('not_a_folder')
  return real
}
