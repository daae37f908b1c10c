import type { Db } from '../../db/schema.ts'
import { readAuthSettings, writeAuthSettings } from '../settings/settings.store.ts'
import { type FirstAdmin, provisionFirstAdmin } from '../users/create-first-admin.ts'

/** How the host describes the first administrator. */
type FirstAdminRequest = Parameters<typeof provisionFirstAdmin>[1] & { noauth: boolean }

/** Creates the first administrator of a new database, and no sign-in as the method if the host says so. */
export async function makeFirstAdmin(db: Db, config: FirstAdminRequest): Promise<FirstAdmin | undefined> {
  const { username, adminPassword, passwordHash } = config
  const made = await provisionFirstAdmin(db, { username, adminPassword, passwordHash })
  if (made && config.noauth) await writeAuthSettings(db, { ...(await readAuthSettings(db)), method: 'noauth' })
  return made
}
