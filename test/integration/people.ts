import { readConfig } from '../../server/config.ts'
import { openDb } from '../../server/db/open.ts'
import type { Db } from '../../server/db/schema.ts'
import { readSettings, writeSettings } from '../../server/features/settings/settings.store.ts'
import { provisionFirstAdmin } from '../../server/features/users/create-first-admin.ts'
import { hashPassword } from '../../server/features/users/password.ts'
import { addUser, BLANK_USER } from '../../server/features/users/users.store.ts'
import type { Settings } from '../../shared/api/settings.ts'
import type { Rule } from '../../shared/api/users.ts'
import { NO_PERMISSIONS, type Permission } from '../../shared/permissions.ts'
import { ADMIN_PASSWORD } from '../api/harness.ts'

/** A user other than the administrator. */
export interface NewPerson {
  name: string
  may: readonly Permission[]
  scope?: string
  rules?: readonly Partial<Rule>[]
  hideDotfiles?: boolean
}

/** The content of a database before its server starts for the first time. */
export interface Population {
  people?: readonly NewPerson[]
  rules?: readonly Partial<Rule>[]
  branding?: Partial<Settings['branding']>
}

/** The password of all users here. */
export const PASSWORD = ADMIN_PASSWORD
/** Every permission on files. */
export const EVERYTHING: readonly Permission[] = ['create', 'rename', 'modify', 'delete', 'share', 'download']

/**
 * Fills a new database through the product's own stores: the API for accounts and settings comes later than the tests
 * that need them.
 */
export async function populate(database: string, { people = [], rules, branding }: Population): Promise<void> {
  const { db } = await openDb(database)
  const { username } = readConfig([], {})
  await provisionFirstAdmin(db, { username, adminPassword: ADMIN_PASSWORD, passwordHash: '' })
  await addPeople(db, people)
  const settings = await readSettings(db)
  await writeSettings(db, {
    ...settings,
    rules: rules?.map(whole) ?? settings.rules,
    branding: { ...settings.branding, ...branding },
  })
  await db.destroy()
}

async function addPeople(db: Db, people: readonly NewPerson[]): Promise<void> {
  if (people.length === 0) return
  const passwordHash = await hashPassword(PASSWORD)
  for (const { name, may, scope = '.', rules = [], hideDotfiles = false } of people) {
    const granted = Object.fromEntries(may.map(permission => [permission, true]))
    const perm = { ...NO_PERMISSIONS, ...granted }
    await addUser(db, {
      ...BLANK_USER,
      username: name,
      passwordHash,
      perm,
      scope,
      hideDotfiles,
      rules: rules.map(whole),
    })
  }
}

const whole = (rule: Partial<Rule>): Rule => ({ regex: false, allow: false, path: '', regexp: null, ...rule })
