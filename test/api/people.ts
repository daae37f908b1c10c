import { afterAll } from 'vitest'
import type { Rule } from '../../shared/api/users.ts'
import type { Permission } from '../../shared/permissions.ts'
import { type Manager, manager, perm } from './accounts.ts'
import { json } from './client.ts'
import type { Instance } from './harness.ts'

/** A user other than the administrator. */
export interface NewPerson {
  name: string
  may: readonly Permission[]
  scope?: string
  rules?: readonly Partial<Rule>[]
  hideDotfiles?: boolean
}

/** The password of all users here. */
export const PASSWORD = 'copper-anvil-drifts-9'
/** Every permission on files. */
export const EVERYTHING: readonly Permission[] = ['create', 'rename', 'modify', 'delete', 'share', 'download']

/**
 * Creates accounts for the tests of one file and deletes them at its end. An existing account of that name is replaced.
 */
export async function enrol(wire: Instance, people: readonly NewPerson[]): Promise<void> {
  const admin = await manager(wire)
  const made: number[] = []
  afterAll(async () => {
    for (const id of made) await admin.remove(id)
  })
  for (const { name, may, rules = [], ...fields } of people) {
    await removeByName(admin, name)
    made.push(await admin.add(name, { password: PASSWORD, perm: perm(...may), rules: rules.map(whole), ...fields }))
  }
}

/** Changes settings for the tests of one file and restores them at its end. */
export async function configure(wire: Instance, fields: Record<string, unknown>): Promise<void> {
  const admin = await manager(wire)
  const before = json(await admin.settings())
  afterAll(() => admin.change(before))
  const answer = await admin.change(fields)
  if (answer.status !== 200) throw new Error(`The settings were not changed: ${answer.status} ${answer.text}`)
}

export const whole = (rule: Partial<Rule>): Rule => ({ regex: false, allow: false, path: '', regexp: null, ...rule })

async function removeByName(admin: Manager, name: string): Promise<void> {
  const there = json(await admin.list()).find((user: { username: string }) => user.username === name)
  if (there) await admin.remove(there.id)
}
