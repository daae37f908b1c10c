import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { openLocalCluster } from '../cluster/local.ts'
import type { StorageDriver } from '../storage/driver.ts'
import type { Files } from './files.ts'
import { createFiles } from './files-service.ts'

/** The files of a store, as a user with every permission but administration sees them. */
export function filesOn(storage: StorageDriver): Promise<Files> {
  const service = createFiles({ storage, cluster: openLocalCluster(), globalRules: async () => [] })
  return service.for({ scope: '/', perm: { ...ALL_PERMISSIONS, admin: false }, rules: [], hideDotfiles: false })
}
