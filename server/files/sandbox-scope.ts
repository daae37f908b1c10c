import { type FilePath, isWithin, nameOf, parentOf, ROOT, trustedChild } from '../../shared/path.ts'
import { otherSpellings } from '../../shared/spelling.ts'
import { AppError } from '../errors.ts'
import type { Hidden, SandboxSpec } from '../sandbox/sandbox-spec.ts'
import type { Disk, StorageDriver } from '../storage/driver.ts'
import type { Policy } from './policy.ts'
import type { TransferContext } from './transfer.ts'

/** The folder in which a user's programs run. */
export interface SandboxFolder {
  /** Absolute, of this machine. */
  cwd: string
  /**
   * What they see in a sandbox. They may do anything there, so the scope is writable only for a user who has all
   * permissions in it; paths that rules deny are hidden.
   * @throws forbidden when only a test of each name could find the denied paths
   */
  sandboxSpec(): Promise<SandboxSpec>
}

/**
 * A folder for programs that a user runs.
 * @param folder in the scope, symbolic links resolved; the user may see it
 * @throws unsupported where the store has no real folder
 */
export async function sandboxFolderFor(
  { policy, whole }: Pick<TransferContext, 'policy' | 'whole'>,
  folder: FilePath,
): Promise<SandboxFolder> {
  const store = await whole()
  const local = demandDisk(store).pathOf
  return {
    cwd: local(folder),
    async sandboxSpec() {
      const hidden = await hiddenFrom(policy, store)
      if (hidden.some(({ path }) => isWithin(folder, path))) throw new AppError('forbidden')
      const places = hidden.map(({ path, kind }) => ({ path: local(path), kind }))
      return sandboxSpecFor(store, { writable: mayDoEverything(policy), hidden: places })
    },
  }
}

/** A whole scope as the only files a program sees. @throws unsupported */
export async function sandboxSpecFor(
  store: StorageDriver,
  how: Pick<SandboxSpec, 'writable' | 'hidden'>,
): Promise<SandboxSpec> {
  const disk = demandDisk(store)
  const areas = (await store.kept?.hiddenPaths()) ?? []
  const hidden = [...how.hidden, ...areas.map(path => ({ path, kind: 'folder' as const }))]
  return { ...(await disk.holdRoot()), root: disk.pathOf(ROOT), writable: how.writable, hidden }
}

async function hiddenFrom(policy: Policy, store: StorageDriver) {
  const denied = policy.deniedPlaces()
  if (!denied) throw new AppError('forbidden', 'No command can be kept from what the rules deny here.')
  const hidden: { path: FilePath; kind: Hidden['kind'] }[] = []
  for (const path of denied) {
    const { kind, canonical } = (await store.stat(path)) ?? {}
    // The target of a link is hidden if it is denied itself.
    if (canonical !== path || (kind !== 'file' && kind !== 'folder')) continue
    if (await hasOtherSpelling(store, path))
      throw new AppError(
        'forbidden',
        'Commands cannot run here: on this disk, hidden files can be opened by other names.',
      )
    hidden.push({ path, kind })
  }
  return hidden
}

/** Whether an entry, or a folder it is in, is also found with another case, as on case-insensitive disks. */
async function hasOtherSpelling(store: StorageDriver, path: FilePath): Promise<boolean> {
  if (path === ROOT) return false
  const own = await store.stat(path)
  for (const name of otherSpellings(nameOf(path))) {
    const there = await store.stat(trustedChild(parentOf(path), name))
    if (there && there.identity === own?.identity) return true
  }
  return hasOtherSpelling(store, parentOf(path))
}

/** @throws unsupported */
function demandDisk({ disk }: StorageDriver): Disk {
  if (!disk) throw new AppError('unsupported')
  return disk
}

const mayDoEverything = (policy: Policy) =>
  (['create', 'rename', 'replace', 'remove'] as const).every(effect => policy.may(effect, ROOT))
