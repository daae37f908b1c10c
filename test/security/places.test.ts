import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { addGroup, addMember } from '../../server/features/groups/groups.ts'
import { replaceUser } from '../../server/features/users/users.store.ts'
import { GRANT_RIGHTS, type GrantRight } from '../../shared/api/grants.ts'
import type { User } from '../../shared/api/users.ts'
import { ALL_PERMISSIONS, NO_PERMISSIONS, type Permission, type Permissions } from '../../shared/permissions.ts'
import { inBucket } from '../api/bucket.ts'
import { uniqueName } from '../api/harness.ts'
import { snapshot } from '../api/snapshot.ts'
import { DENIED_MARKER, plant } from '../api/tree.ts'
import { AIMS, type Aim, actsOf, faultOf } from './effects.ts'
import { CONTENT, openWorld } from './world.ts'

/**
 * The matrix of effects in what is not a user's own: what another user shares, and folders of other roots, each given to
 * the user and to groups of theirs. At home the user may do just what they may not do there.
 */

const DISK = 'disk'
const SHARED = '/Shared with me'
/** The folder that is shared, next to what is not. */
const TEAM = '/team'
const GRANTED = SHARED + TEAM
const MOUNTED = '/Team'

const world = await openWorld([DISK])
/** The two folders behind the places. */
const grounds = [join(world.root, TEAM), join(world.home, DISK)]

async function restore(): Promise<void> {
  for (const folder of grounds) {
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
    await plant(world.home, folder)
    await writeFile(join(folder, 'a.txt'), CONTENT)
    await mkdir(join(folder, 'empty'))
  }
}

await mkdir(join(world.root, TEAM))
await mkdir(join(world.root, 'home'))
await writeFile(join(world.root, 'beside.txt'), DENIED_MARKER)
await restore()

const state = async () => JSON.stringify([await snapshot(grounds[0] ?? ''), await snapshot(grounds[1] ?? '')])
const untouched = await state()

/** Whether the planted files are changed; restores them if so. */
async function isChanged(): Promise<boolean> {
  const changed = (await state()) !== untouched
  if (changed) await restore()
  return changed
}

type Rights = readonly GrantRight[]
const without = (name: GrantRight): Rights => GRANT_RIGHTS.filter(right => right !== name)
/** All rights, each alone, and all but each. */
const SETS: readonly Rights[] = [[...GRANT_RIGHTS], ...GRANT_RIGHTS.map(right => [right]), ...GRANT_RIGHTS.map(without)]
const denied = (path: string) => [{ regex: false, allow: false, path, regexp: null }]
const permOf = (...names: readonly Permission[]): Permissions => ({
  ...NO_PERMISSIONS,
  ...Object.fromEntries(names.map(name => [name, true])),
})

const admin = await world.signIn({ perm: ALL_PERMISSIONS })
const OWNER = { perm: { ...ALL_PERMISSIONS, admin: false }, rules: denied('/team/deny'), hideDotfiles: true }
const owner = await world.enrol(OWNER)

async function ask(method: string, target: string, token: string, body?: object) {
  const { status, text } = await world.ask({ method, target, token, body: body && JSON.stringify(body) })
  expect([target, status]).toEqual([target, status < 300 ? status : text])
  return text === '' ? undefined : JSON.parse(text)
}

/** Someone whose home allows what `rights` do not. */
async function newcomer(rights: Rights) {
  const others = [...GRANT_RIGHTS, 'share' as const].filter(name => !rights.includes(name as GrantRight))
  return world.enrol({ scope: '/home', perm: permOf(...others), rules: denied(`${MOUNTED}/deny`), hideDotfiles: true })
}

/** A new group with some members. */
async function groupOf(...members: readonly User[]): Promise<string> {
  const { id } = await addGroup(world.context, {
    name: uniqueName('g'),
    description: '',
    perm: NO_PERMISSIONS,
    rules: [],
  })
  for (const { id: user } of members) await addMember(world.context, id, user)
  return id
}

/** The rights in two parts, for two groups. */
const halves = (rights: Rights): Rights[] =>
  [rights.filter((_, at) => at % 2 === 0), rights.filter((_, at) => at % 2 === 1)].filter(({ length }) => length > 0)

interface Caller {
  rights: Rights
  token: string
}
const session = (user: User) => world.context.sessions.start(user)

async function share(from: User, to: { kind: string; id: string }, rights: Rights): Promise<void> {
  await ask('POST', '/api/grants', await session(from), { path: TEAM, to, rights })
}

let mount = ''
const give = (to: { kind: string; id: string }, rights: Rights) =>
  ask('PUT', `/api/mounts/${mount}/access/${to.kind}/${to.id}`, admin, { rights })

const KINDS = {
  'a grant to a user': {
    at: GRANTED,
    async give(user: User, rights: Rights) {
      await share(owner, { kind: 'user', id: String(user.id) }, rights)
    },
  },
  'grants to two groups': {
    at: GRANTED,
    async give(user: User, rights: Rights) {
      for (const half of halves(rights)) await share(owner, { kind: 'group', id: await groupOf(user, owner) }, half)
    },
  },
  'a mount for a user': {
    at: MOUNTED,
    give: (user: User, rights: Rights) => give({ kind: 'user', id: String(user.id) }, rights),
  },
  'mounts for two groups': {
    at: MOUNTED,
    async give(user: User, rights: Rights) {
      for (const half of halves(rights)) await give({ kind: 'group', id: await groupOf(user) }, half)
    },
  },
} as const
type Kind = keyof typeof KINDS

const callers = new Map<Kind, Caller[]>()
/** Recipients of all rights, of owners who lack one. */
const cut: Caller[] = []

beforeAll(async () => {
  mount = (await ask('POST', '/api/mounts', admin, { name: MOUNTED.slice(1), root: DISK })).id
  for (const [kind, { give: giveTo }] of Object.entries(KINDS) as [Kind, (typeof KINDS)[Kind]][]) {
    const all: Caller[] = []
    for (const rights of kind.includes('two') ? SETS.slice(0, 1 + GRANT_RIGHTS.length) : SETS) {
      const user = await newcomer(rights)
      await giveTo(user, rights)
      all.push({ rights, token: await session(user) })
    }
    callers.set(kind, all)
  }
  for (const missing of ['create', 'rename', 'modify', 'delete'] as const) {
    const [from, user] = [await world.enrol(OWNER), await newcomer([])]
    await share(from, { kind: 'user', id: String(user.id) }, GRANT_RIGHTS)
    const perm = { ...owner.perm, [missing]: false }
    await replaceUser(world.context.db, from.id, { ...from, passwordHash: 'none', perm })
    cut.push({ rights: without(missing), token: await session(user) })
  }
}, 60_000)

const acts = actsOf(world.routes)
const aims = Object.entries(AIMS) as [Aim, string][]

describe.skipIf(inBucket)('the effect in', () => {
  async function faultsOf({ method, prefix, act }: (typeof acts)[number], at: string, all: readonly Caller[]) {
    const wrong: string[] = []
    for (const [aim, path] of aims) {
      for (const { rights, token } of act.needs[aim] === undefined ? all.slice(0, 1) : all) {
        const { target = '', ...rest } = act.ask(at + path, at)
        const reply = await world.ask({ method, target: (prefix + target).replaceAll(' ', '%20'), token, ...rest })
        const has = (name: Permission) => (rights as readonly Permission[]).includes(name)
        const fault = faultOf(act, aim, has, { ...reply, changed: await isChanged() })
        if (fault !== undefined) wrong.push(`${aim} with ${rights.join('+')}: ${fault}`)
      }
    }
    return wrong
  }

  test.each(acts)('GRA-01 ROOT-01 a grant and a mount of $name is that of its rights', async call => {
    for (const [kind, { at }] of Object.entries(KINDS) as [Kind, (typeof KINDS)[Kind]][])
      expect([kind, await faultsOf(call, at, callers.get(kind) ?? [])]).toEqual([kind, []])
  })

  test.each(acts)('GRA-01 a grant of $name is cut by what its owner may do', async call => {
    expect(await faultsOf(call, GRANTED, cut)).toEqual([])
  })
})

describe.skipIf(inBucket)('a user without them', () => {
  test.each(acts)('GRA-01 ROOT-02 changes and learns nothing by $name', async ({ method, prefix, act }) => {
    const user = await world.enrol({ scope: '/home', perm: { ...ALL_PERMISSIONS, admin: false } })
    const token = await session(user)
    for (const at of [GRANTED, MOUNTED]) {
      const answers: string[] = []
      for (const path of [AIMS.file, AIMS.missing]) {
        const { target = '', ...rest } = act.ask(at + path, at)
        const reply = await world.ask({ method, target: (prefix + target).replaceAll(' ', '%20'), token, ...rest })
        expect([path, await isChanged(), reply.text.includes(CONTENT)]).toEqual([path, false, false])
        answers.push(`${reply.status} ${reply.text.replaceAll(path.slice(1), '')}`)
      }
      if (!act.quiet && !act.changes) expect(answers[1]).toBe(answers[0])
    }
  })
})

test.skipIf(inBucket)('GRA-01 MX-05 nothing next to a shared folder, or hidden in it, was in a response', () => {
  expect(world.seen.answers).toBeGreaterThan(500)
  expect(world.seen.leaks).toEqual([])
})
