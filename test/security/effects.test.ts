import { beforeAll, describe, expect, test } from 'vitest'
import { ALL_PERMISSIONS, NO_PERMISSIONS, PERMISSIONS, type Permissions } from '../../shared/permissions.ts'
import { inBucket } from '../api/bucket.ts'
import { AIMS, type Aim, actsOf, EFFECTS, faultOf } from './effects.ts'
import { callsOf, openWorld } from './world.ts'

const world = await openWorld()
const untouched = await world.manifest()
const rules = [{ regex: false, allow: false, path: '/deny', regexp: null }]

/** None, all, each alone, and all but each. */
const SETS: readonly Permissions[] = [
  NO_PERMISSIONS,
  ALL_PERMISSIONS,
  ...PERMISSIONS.map(name => ({ ...NO_PERMISSIONS, [name]: true })),
  ...PERMISSIONS.map(name => ({ ...ALL_PERMISSIONS, [name]: false })),
]
const nameOf = (perm: Permissions) => PERMISSIONS.filter(name => perm[name]).join('+') || 'nothing'

const people: { perm: Permissions; token: string }[] = []
beforeAll(async () => {
  const rest = { rules, hideDotfiles: true, commands: [] }
  for (const perm of SETS) people.push({ perm, token: await world.signIn({ perm, ...rest }) })
})

const acts = actsOf(world.routes)
/** A bucket has no links, and no commands. */
const LINKS: ReadonlySet<Aim> = new Set(['link', 'behind', 'alias'])
const aims = (Object.entries(AIMS) as [Aim, string][]).filter(([aim]) => !(inBucket && LINKS.has(aim)))
const COMMANDS = 'GET /api/command/*'

test('MX-01 every call is in the table of effects', () => {
  expect(
    callsOf(world.routes)
      .map(({ name }) => name)
      .filter(name => !(name in EFFECTS)),
  ).toEqual([])
  const there = new Set(callsOf(world.routes).map(({ name }) => name))
  expect(Object.keys(EFFECTS).filter(name => !there.has(name))).toEqual(inBucket ? [COMMANDS] : [])
})

/** Whether the planted files are unchanged; restores them if not. */
async function isChanged(): Promise<boolean> {
  const now = await world.manifest()
  const changed = JSON.stringify(now) !== JSON.stringify(untouched)
  if (changed) await world.restore()
  return changed
}

describe('MX-01 the effect of', () => {
  test.each(acts)('$name depends on permissions', async ({ method, prefix, act }) => {
    const wrong: string[] = []
    for (const [aim, path] of aims) {
      const callers = act.needs[aim] === undefined ? people.slice(0, 2) : people
      for (const { perm, token } of callers) {
        const { target = '', ...rest } = act.ask(path)
        const reply = await world.ask({ method, target: prefix + target, token, ...rest })
        const fault = faultOf(act, aim, name => perm[name], { ...reply, changed: await isChanged() })
        if (fault !== undefined) wrong.push(`${aim} with ${nameOf(perm)}: ${fault}`)
      }
    }
    expect(wrong).toEqual([])
  })
})

describe('RULE-04 a denied path', () => {
  test.each(acts)('is answered by $name the same way whether or not it exists', async ({ method, prefix, act }) => {
    const answers: string[] = []
    for (const path of ['/deny/secret.txt', '/deny/nobody.txt']) {
      const { target = '', ...rest } = act.ask(path)
      const { status, text } = await world.ask({ method, target: prefix + target, token: people[1]?.token, ...rest })
      answers.push(`${status} ${text.replaceAll('nobody.txt', 'secret.txt')}`)
      expect(await isChanged()).toBe(false)
    }
    if (!act.quiet) expect(answers[1]).toBe(answers[0])
  })
})

test('MX-05 no response to all this contained a secret', () => {
  expect(world.seen.answers).toBeGreaterThan(500)
  expect(world.seen.leaks).toEqual([])
})
