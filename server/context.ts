import { mkdir } from 'node:fs/promises'
import type { Cluster } from './cluster/cluster.ts'
import { openLocalCluster } from './cluster/local.ts'
import type { Config } from './config.ts'
import { openDb } from './db/open.ts'
import type { Db } from './db/schema.ts'
import type { AuthMethod } from './features/auth/method.ts'
import { passwordMethod } from './features/auth/methods/password.ts'
import { Sessions } from './features/auth/sessions.ts'
import { readSettings, signingKey, stagingKey } from './features/settings/settings.store.ts'
import { type FirstAdmin, provisionFirstAdmin } from './features/users/provision.ts'
import { createFiles, type FilesService } from './files/service.ts'
import { openLocal } from './storage/local.ts'

/** Everything a running server works with, built once, in order. */
export interface Context {
  config: Config
  db: Db
  cluster: Cluster
  files: FilesService
  sessions: Sessions
  authMethod: AuthMethod
  /** Set when this start made the first administrator. */
  firstAdmin?: FirstAdmin
  close(): Promise<void>
}

/**
 * The composition root, and the only file that knows concrete drivers.
 * @throws AppError with a sentence for the console
 */
export async function createContext(config: Config): Promise<Context> {
  if (config.rootIsDefault) await mkdir(config.root, { recursive: true })
  const { db } = await openDb(config.database)
  const firstAdmin = await provisionFirstAdmin(db, {
    username: config.username,
    adminPassword: config.adminPassword,
    passwordHash: config.passwordHash,
  })
  const cluster = openLocalCluster()
  const storage = await openLocal({ root: config.root, stagingKey: await stagingKey(db) })
  const files = createFiles({ storage, cluster, globalRules: async () => (await readSettings(db)).rules })
  const sessions = new Sessions(db, await signingKey(db), config.tokenLifetime)
  return {
    config,
    db,
    cluster,
    files,
    sessions,
    authMethod: passwordMethod(db),
    ...(firstAdmin ? { firstAdmin } : {}),
    async close() {
      await cluster.close()
      await db.destroy()
    },
  }
}
