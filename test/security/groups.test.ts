import { beforeAll, describe, expect, test } from 'vitest'
import { addGroup, addMember } from '../../server/features/groups/groups.ts'
import { NO_PERMISSIONS, PERMISSIONS, type Permission, type Permissions } from '../../shared/permissions.ts'
import { inBucket } from '../api/bucket.ts'
import { uniqueName } from '../api/harness.ts'
import { AIMS, type Aim, actsOf, faultOf } from './effects.ts'
import { openWorld } from './world.ts'

const world = await openWorld()
const untouched = JSON.stringify(await world.manifest())
const rules = [{ regex: false, allow: false, path: '/deny', regexp: null }]

/** What matters for files; administrators and programs have tests of their own. */
const NAMES = PERMISSIONS.filter(name => name !== 'admin' && name !== 'execute')
const permOf = (names: readonly Permission[]): Permissions => ({
  ...NO_PERMISSIONS,
  ...Object.fromEntries(names.map(name => [name, true])),
})
const even = (_: Permission, at: number) => at % 2 === 0
const odd = (_: Permission, at: number) => at % 2 === 1

/** What users have of their own, and by each of their groups. */
const SHARES: readonly (readonly Permission[])[][] = [
  [[], []],
  [[], [...NAMES]],
  [NAMES.filter(even), NAMES.filter(odd)],
  [[], NAMES.filter(even), NAMES.filter(odd)],
  ...NAMES.map(name => [[], [name]]),
  ...NAMES.map(name => [NAMES.filter(other => other !== name), []]),
]

const people: { perm: Permissions; token: string }[] = []
beforeAll(async () => {
  for (const [own = [], ...groups] of SHARES) {
    const user = await world.enrol({ perm: permOf(own), hideDotfiles: true })
    for (const given of groups) {
      const fields = { name: uniqueName('g'), description: '', perm: permOf(given), rules }
      const { id } = await addGroup(world.context, fields)
      await addMember(world.context, id, user.id)
    }
    people.push({ perm: permOf([own, ...groups].flat()), token: await world.context.sessions.start(user) })
  }
})

/** A bucket has no links. */
const LINKS: ReadonlySet<Aim> = new Set(['link', 'behind', 'alias'])
const aims = (Object.entries(AIMS) as [Aim, string][]).filter(([aim]) => !(inBucket && LINKS.has(aim)))

async function isChanged(): Promise<boolean> {
  const changed = JSON.stringify(await world.manifest()) !== untouched
  if (changed) await world.restore()
  return changed
}

describe('GRP-01 the effect of', () => {
  test.each(actsOf(world.routes))(
    'GRP-01 $name depends on what a user and the groups allow together, and on their rules',
    async ({ method, prefix, act }) => {
      const wrong: string[] = []
      for (const [aim, path] of aims) {
        for (const { perm, token } of act.needs[aim] === undefined ? people.slice(0, 2) : people) {
          const { target = '', ...rest } = act.ask(path)
          const reply = await world.ask({ method, target: prefix + target, token, ...rest })
          const fault = faultOf(act, aim, name => perm[name], { ...reply, changed: await isChanged() })
          if (fault !== undefined) wrong.push(`${aim} with ${NAMES.filter(name => perm[name]).join('+')}: ${fault}`)
        }
      }
      expect(wrong).toEqual([])
    },
  )
})

test('GRP-01 no response to all this contained a secret', () => {
  expect(world.seen.leaks).toEqual([])
})
