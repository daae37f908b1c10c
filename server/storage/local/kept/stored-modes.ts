import { lstat, mkdir, rmdir } from 'node:fs/promises'
import { below, type Handle } from '../handle.ts'
import type { Scope } from '../resolve-path.ts'

/** Milliseconds for which a disk is remembered, like mounts. */
const BELIEVED = 5000

const remembered = new Map<bigint, { stores: boolean; until: number }>()

/** Whether an object belongs to this account, and no other one can write to it. */
export function isPrivate(stat: Pick<Handle['stat'], 'uid' | 'mode'>): boolean {
  const own = process.getuid?.()
  return (own === undefined || Number(stat.uid) === own) && (Number(stat.mode) & 0o022) === 0
}

/**
 * Whether the disk of a folder stores owners and modes. FAT, NTFS and SMB disks can give those of the mount to
 * everything: what is kept there is as open to other accounts as every file.
 * @returns `true` as well where it cannot be found out
 */
export async function storesModes({ stagingKey, unfinished }: Scope, folder: Handle): Promise<boolean> {
  const known = remembered.get(folder.stat.dev)
  if (known && performance.now() < known.until) return known.stores
  const name = await unfinished.begin(stagingKey, folder.real)
  try {
    const probe = below(folder, name)
    await mkdir(probe, 0o700)
    const stat = await lstat(probe, { bigint: true })
    await rmdir(probe)
    const stores = isPrivate(stat)
    remembered.set(folder.stat.dev, { stores, until: performance.now() + BELIEVED })
    return stores
  } catch {
    return true
  } finally {
    unfinished.end(name)
  }
}
