import { isMountPoint } from './mounts.ts'
import { isSnapshotFolder } from './snapshots/hidden.ts'
import { isOwnName } from './temp-names.ts'

/**
 * Where programs of a desktop put what this account deletes on a mounted disk: `.Trash/<uid>` and `.Trash-<uid>` at its
 * top (FreeDesktop.org Trash specification 1.0).
 */
const UID = process.getuid?.() ?? 0

/** The folder of all accounts, which the administrator of a disk makes. */
export const SHARED_CANS = '.Trash'
export const CAN_IN_SHARED = String(UID)
export const OWN_CAN = `.Trash-${UID}`

/** In any letter case: the disk may fold it. */
const NAME = new RegExp(`^\\.trash(-${UID})?$`, 'i')
const IN_PATH = new RegExp(`/\\.trash(-${UID})?(?=/|$)`, 'gi')

/** Whether a name may be that of a trash can: `isCan` decides it. */
export const mayBeCan = (name: string): boolean => NAME.test(name)

/** Whether a name in a folder is that of a trash can. @param folder its real path */
export const isCan = (folder: string, name: string): boolean => NAME.test(name) && isMountPoint(folder)

/** Whether a real path is that of a trash can, or leads into one. @param from characters that are skipped */
export function isInCan(real: string, from = 0): boolean {
  for (const { index } of real.matchAll(IN_PATH)) {
    if (index >= from && isMountPoint(real.slice(0, index) || '/')) return true
  }
  return false
}

/** Whether a name in a folder is not listed: of an area, a trash can or a folder of snapshots. @param folder its real path */
export const isHiddenName = (key: Buffer, folder: string, name: string): boolean =>
  isOwnName(key, name) || isCan(folder, name) || isSnapshotFolder(folder, name)
