import { type FilePath, joinPath, parentOf } from '../../shared/path.ts'
import type { Cluster, ClusterEvents } from '../cluster/cluster.ts'
import type { StorageDriver } from '../storage/driver.ts'

export type Change = ClusterEvents['files.changed']

/** A change at a path of a scope as everybody is told of it. @param base the scope's place in the served root */
export function changeAt(
  base: FilePath,
  path: FilePath,
  change: Change['change'],
  objects: Change['objects'] | undefined,
): Change {
  const whole = joinPath(base, path)
  const told: Change = { folder: parentOf(whole), path: whole, change }
  return objects ? { ...told, objects } : told
}

/**
 * Tells when something in a folder may have changed, by whomever.
 * @param path of the folder in the store
 * @param folder its place in the served root
 * @returns ends it
 */
export async function watchFolder(
  cluster: Cluster,
  store: StorageDriver,
  path: FilePath,
  folder: FilePath,
  tell: () => void,
): Promise<() => void> {
  const unsubscribe = cluster.subscribe('files.changed', change => {
    if (change.folder === folder || change.path === folder) tell()
  })
  const unwatch = await store.watch?.(path, tell).catch(() => undefined)
  return () => {
    for (const end of [unsubscribe, unwatch]) end?.()
  }
}
