import type { FilePath } from '../../../../shared/path.ts'
import { AppError } from '../../../errors.ts'
import { CAN_IN_SHARED, OWN_CAN, SHARED_CANS } from '../desktop-can.ts'
import { errnoOf } from '../errno.ts'
import { below, type Handle, hold } from '../handle.ts'
import { isMountPoint } from '../mounts.ts'
import type { Scope } from '../resolve-path.ts'
import { identityOf } from '../stat-fields.ts'
import { type HoldFolder, holding, makeFolder, type OpenArea } from './area-folders.ts'

type OpenCan = (scope: Scope, home: FilePath, how: { make: boolean }) => Promise<OpenArea | undefined>

/** Set on a folder in which accounts remove only what is theirs. */
const STICKY = 0o1000

/** What gvfs calls the folder of things that are being deleted for good. */
const LEAVING = 'expunged'

const sharedCan: OpenCan = (scope, home, { make }) =>
  inCan(scope, home, make, async parent => {
    const shared = await hold(scope.level, below(parent, SHARED_CANS), true)
    if (shared.stat.isDirectory() && (Number(shared.stat.mode) & STICKY) !== 0) return [shared, CAN_IN_SHARED]
    shared.close()
    throw new AppError('no_trash')
  })

const ownCan: OpenCan = (scope, home, { make }) => inCan(scope, home, make, async parent => [parent, OWN_CAN])

/**
 * The trash cans of this account at the top of a mounted disk, in the order in which desktop programs use them
 * (FreeDesktop.org Trash specification 1.0).
 */
export const CANS: readonly OpenCan[] = [sharedCan, ownCan]

/** The trash can for a deleted thing; `undefined` where no disk is mounted, or none can be made. */
export async function canFor(scope: Scope, home: FilePath): Promise<OpenArea | undefined> {
  return (await sharedCan(scope, home, { make: true })) ?? ownCan(scope, home, { make: true })
}

/** The folder for what is being deleted for good; made if it is missing. The caller closes it. */
export async function leavingOf(scope: Scope, { top, leaving }: OpenArea): Promise<Handle> {
  if (leaving) return leaving
  await makeFolder(top, LEAVING)
  return hold(scope.level, below(top, LEAVING), true)
}

function inCan(
  scope: Scope,
  home: FilePath,
  make: boolean,
  find: (parent: Handle) => Promise<[folder: Handle, name: string]>,
): Promise<OpenArea | undefined> {
  return holding(scope, home, async ({ parent, folder, made, close }) => {
    if (!isMountPoint(parent.real)) return undefined
    const [above, name] = await find(parent)
    const reach: HoldFolder = make ? made : folder
    try {
      const top = await reach(above, name)
      const [files, notes] = [await reach(top, 'files'), await reach(top, 'info')]
      const leaving = await folder(top, LEAVING).catch(missing)
      return { home, area: identityOf(top.stat), top, files, notes, leaving, isCan: true, close }
    } finally {
      if (above !== parent) above.close()
    }
  })
}

function missing(thrown: unknown): undefined {
  if (errnoOf(thrown) !== 'ENOENT') throw thrown
}
