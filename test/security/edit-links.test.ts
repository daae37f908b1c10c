import { expect, test } from 'vitest'
import { EDIT_RIGHTS, type EditRight } from '../../shared/api/shares.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { AIMS, type Aim, actsOf } from './effects.ts'
import { openWorld } from './world.ts'

const world = await openWorld()
const rules = [{ regex: false, allow: false, path: '/deny', regexp: null }]
const token = await world.signIn({ perm: { ...ALL_PERMISSIONS, admin: false }, rules, hideDotfiles: true })
const untouched = await world.manifest()

/** Each right alone, all, and all but each. */
const SETS: readonly EditRight[][] = [
  [...EDIT_RIGHTS],
  ...EDIT_RIGHTS.map(right => [right]),
  ...EDIT_RIGHTS.map(right => EDIT_RIGHTS.filter(other => other !== right)),
]

/** What users do to the same paths by the calls that visitors have. */
const acts = actsOf(world.routes).filter(
  ({ method, prefix }) => prefix === '/api/resources' && ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method),
)

async function linkWith(rights: readonly EditRight[]): Promise<string> {
  const body = JSON.stringify({ kind: 'edit', rights })
  return JSON.parse((await world.ask({ method: 'POST', target: '/api/share/', token, body })).text).hash
}

async function isChanged(): Promise<boolean> {
  const changed = JSON.stringify(await world.manifest()) !== JSON.stringify(untouched)
  if (changed) await world.restore()
  return changed
}

test('there are calls to compare with', () => {
  expect(new Set(acts.map(({ method }) => method)).size).toBe(4)
})

test.each(acts)(
  'PUB-06 $name through a link has the effect that the rights of the link give',
  async ({ method, act }) => {
    const wrong: string[] = []
    for (const rights of SETS) {
      const hash = await linkWith(rights)
      for (const [aim, path] of Object.entries(AIMS) as [Aim, string][]) {
        const { target = '', ...rest } = act.ask(path)
        const reply = await world.ask({ method, target: `/api/public/resources/${hash}${target}`, ...rest })
        const given: readonly string[] = [...rights, 'download']
        const isCopy = target.includes('action=copy')
        const may = !isCopy && (act.needs[aim]?.every(name => given.includes(name)) ?? false)
        const changed = await isChanged()
        if (changed !== may)
          wrong.push(`${aim} with ${rights.join('+')}: ${changed ? 'a' : 'no'} change, ${reply.status}`)
      }
    }
    expect(wrong).toEqual([])
  },
)

test('MX-05 no response to a visitor contained a secret', () => {
  expect(world.seen.leaks).toEqual([])
})
