import { globSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { EVERYONE } from '../../../shared/api/groups.ts'
import type { Rule } from '../../../shared/api/users.ts'
import { parsePath } from '../../../shared/path.ts'
import {
  ALL_PERMISSIONS,
  EFFECTS,
  missingFor,
  NO_PERMISSIONS,
  PERMISSIONS,
  type Permissions,
  unionOf,
} from '../../../shared/permissions.ts'
import { coversPath } from '../../../shared/rules.ts'
import { openLocalCluster } from '../../cluster/local.ts'
import { openDb } from '../../db/open.ts'
import type { Db } from '../../db/schema.ts'
import { causesOf } from '../../files/explain-access.ts'
import { policyFor } from '../../files/policy.ts'
import { LIMITS } from '../../limits.ts'
import { changeUser, closeUser, removeUser } from '../users/accounts.ts'
import { addUser, BLANK_USER, type StoredUser } from '../users/users.store.ts'
import { actingUser, findActingUser } from './acting-user.ts'
import { insertGroup, listGroups } from './groups.store.ts'
import {
  addGroup,
  addMember,
  changeGroup,
  removeGroup,
  removeMember,
  reorderGroups,
  syncMemberships,
} from './groups.ts'
import { listMembers } from './members.store.ts'
import { groupsToWire } from './views.ts'

let folder: string
let db: Db
let user: StoredUser
const cluster = openLocalCluster()
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2030, 0, 1) })
  folder = await mkdtemp(join(tmpdir(), 'filigree-groups-'))
  db = (await openDb(join(folder, 'f.db'))).db
  user = await addUser(db, { ...BLANK_USER, username: 'ann', passwordHash: '' })
})
afterEach(async () => {
  vi.useRealTimers()
  await db.destroy()
  await rm(folder, { recursive: true })
})

const deps = () => ({ db, cluster })
/** A group of administrators. */
const FIELDS = { name: 'admins', description: '', perm: { ...NO_PERMISSIONS, admin: true }, rules: [] }
const only = (...names: (keyof Permissions)[]): Permissions => ({
  ...NO_PERMISSIONS,
  ...Object.fromEntries(names.map(name => [name, true])),
})
const add = (name: string, perm = NO_PERMISSIONS, rules: readonly Rule[] = []) =>
  addGroup(deps(), { name, description: '', perm, rules })
const enter = (group: { id: string }, expiresAt: number | null = null) =>
  addMember(deps(), group.id, user.id, expiresAt)
async function acting() {
  const found = await findActingUser(db, user.id)
  if (!found) throw new Error('the user is missing')
  return found
}

describe('a group', () => {
  test('GRP-01 adds each permission to those of the user, and takes none', async () => {
    for (const name of PERMISSIONS) {
      const [one, other] = [await add(`one ${name}`, only(name)), await add(`other ${name}`)]
      for (const own of [NO_PERMISSIONS, only(name), ALL_PERMISSIONS]) {
        await changeUser(deps(), user.id, { perm: { ...own, admin: name === 'admin' && own.admin } }).catch(() => {})
        const before = (await acting()).perm
        await enter(other)
        expect((await acting()).perm).toEqual(before)
        await enter(one)
        const { perm, own: kept } = await acting()
        expect(perm).toEqual(unionOf(kept.perm, only(name)))
        for (const effect of EFFECTS)
          expect(policyFor(await acting(), []).missing(effect)).toEqual(missingFor(perm, effect))
        await removeMember(deps(), one.id, user.id)
        expect((await acting()).perm).toEqual(before)
      }
    }
  })

  test('gives to all users what the group of all gives, but no administration, name or rules', async () => {
    const everyone = { name: EVERYONE, description: 'All', perm: only('download'), rules: [] }
    await changeGroup(deps(), EVERYONE, everyone)
    expect((await acting()).perm).toEqual(only('download'))
    const rule = { regex: false, allow: false, path: '/a', regexp: null }
    for (const wrong of [{ name: 'all' }, { perm: only('admin') }, { perm: only('execute') }, { rules: [rule] }]) {
      await expect(changeGroup(deps(), EVERYONE, { ...everyone, ...wrong })).rejects.toMatchObject({
        code: 'bad_request',
      })
    }
    await expect(removeGroup(deps(), EVERYONE)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(addMember(deps(), EVERYONE, user.id)).rejects.toMatchObject({ code: 'bad_request' })
  })

  test('has a name of its own, whatever the case and the form of its letters', async () => {
    await add('Zoë')
    for (const name of ['zoë', 'ZOË', 'Zoe\u0308', 'Everyone']) {
      await expect(add(name)).rejects.toMatchObject({ code: 'exists' })
    }
    for (const name of ['', ' a', 'a/b', 'a\nb', 'x'.repeat(65)]) {
      await expect(add(name)).rejects.toMatchObject({ code: 'bad_request' })
    }
  })

  test('is one of at most so many', async () => {
    for (let number = 0; number < LIMITS.groups; number++) {
      await insertGroup(db, { name: `g${number}`, description: '', perm: NO_PERMISSIONS, rules: [] })
    }
    await expect(add('more')).rejects.toMatchObject({ code: 'exists' })
  })

  test.each<[string, (group: string) => unknown]>([
    ['the group is deleted', group => removeGroup(deps(), group)],
    ['the group gives it no more', group => changeGroup(deps(), group, { ...FIELDS, perm: NO_PERMISSIONS })],
    ['the member is removed', group => removeMember(deps(), group, user.id)],
    ['the provider takes it away', () => syncMemberships(deps(), user.id, 'provider:home', [])],
    ['the membership ends', () => vi.setSystemTime(Date.now() + 10_000)],
    ['the account is disabled', () => closeUser(deps(), user.id)],
    ['the account is removed', () => removeUser(deps(), user.id)],
  ])(
    'GRP-05 never makes the last administrator: one with the permission of their own is left when %s',
    async (how, act) => {
      const admin = await addUser(db, { ...BLANK_USER, username: 'root', passwordHash: '', perm: ALL_PERMISSIONS })
      const { id } = await addGroup(deps(), FIELDS)
      if (how.includes('provider')) await syncMemberships(deps(), user.id, 'provider:home', [FIELDS.name])
      else await enter({ id }, Date.now() + 10_000)
      expect((await acting()).perm.admin).toBe(true)
      for (const end of [
        () => changeUser(deps(), admin.id, { perm: NO_PERMISSIONS }),
        () => removeUser(deps(), admin.id),
      ])
        await expect(end()).rejects.toMatchObject({ code: 'forbidden' })
      expect(await closeUser(deps(), admin.id)).toBe(false)
      await act(id)
      expect((await findActingUser(db, user.id))?.perm.admin ?? false).toBe(false)
      expect((await findActingUser(db, admin.id))?.perm.admin).toBe(true)
    },
  )

  test('GRP-05 an administrator whose account is closed does not count, and the last one is never closed', async () => {
    const [one, other] = await Promise.all(
      ['one', 'other'].map(username =>
        addUser(db, { ...BLANK_USER, username, passwordHash: '', perm: ALL_PERMISSIONS }),
      ),
    )
    const [first, last] = [one?.id ?? 0, other?.id ?? 0]
    expect(await closeUser(deps(), first)).toBe(true)
    expect(await closeUser(deps(), last)).toBe(false)
    for (const end of [() => changeUser(deps(), last, { perm: NO_PERMISSIONS }), () => removeUser(deps(), last)])
      await expect(end()).rejects.toMatchObject({ code: 'forbidden' })
    expect((await findActingUser(db, last))?.perm.admin).toBe(true)
    await removeUser(deps(), first)
  })

  test('GRP-07 is left when the membership ends, to the millisecond', async () => {
    const group = await add('guests', only('download'))
    const end = Date.now() + 10_000
    await enter(group, end)
    vi.setSystemTime(end - 1000)
    expect((await acting()).perm.download).toBe(true)
    vi.setSystemTime(end - 1)
    expect((await acting()).perm.download).toBe(true)
    vi.setSystemTime(end)
    expect((await acting()).perm.download).toBe(false)
    const page = { after: 0, most: 10, now: Date.now() }
    expect(await listMembers(db, group.id, page)).toEqual({ members: [], more: false })
    const shown = await groupsToWire(db, await listGroups(db))
    expect(shown.map(({ name, members }) => [name, members])).toEqual([
      ['everyone', 1],
      ['guests', 0],
    ])
  })

  test('GRP-07 ends by the clock of each server, also where another one has cached it a second before', async () => {
    const end = Date.now() + 60_000
    await enter(await add('guests', only('download')), end)
    const other = (await openDb(join(folder, 'f.db'))).db
    const servers = [db, other].map(own => async (now: number) => {
      vi.setSystemTime(now)
      return (await findActingUser(own, user.id))?.perm.download
    })
    const [early, late] = servers
    for (const [now, left] of [
      [end - 2000, true],
      [end - 1001, true],
      [end - 1000, false],
      [end - 1, false],
      [end, false],
    ] as const) {
      expect(await late?.(now + 1000)).toBe(left)
      expect(await early?.(now)).toBe(now < end)
    }
    await other.destroy()
  })

  test('GRP-07 of two memberships in one group the later one counts, and each end is met', async () => {
    const [guests, staff] = [await add('guests', only('download')), await add('staff', only('create'))]
    const start = Date.now()
    await enter(guests, start + 10_000)
    await enter(staff, start + 20_000)
    const rights = async (after: number) => {
      vi.setSystemTime(start + after)
      const { download, create } = (await acting()).perm
      return [download, create]
    }
    expect(await rights(9999)).toEqual([true, true])
    expect(await rights(10_000)).toEqual([false, true])
    expect(await rights(20_000)).toEqual([false, false])
  })

  test('keeps a member as long as one source gives the membership', async () => {
    const group = await add('staff', only('create'))
    await enter(group)
    await syncMemberships(deps(), user.id, 'provider:home', ['staff', 'unknown', 'everyone', 'STAFF'])
    await removeMember(deps(), group.id, user.id)
    expect((await acting()).groups.at(-1)).toMatchObject({ name: 'staff', sources: ['provider:home'] })
    await expect(removeMember(deps(), group.id, user.id)).rejects.toMatchObject({ code: 'exists' })
    await syncMemberships(deps(), user.id, 'provider:home', [])
    expect((await acting()).perm.create).toBe(false)
    await expect(removeMember(deps(), group.id, user.id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('the groups of a user', () => {
  test('are read once, and again after a change', async () => {
    const group = await add('staff', only('create'))
    await enter(group)
    const first = await acting()
    expect((await acting()).groups).toBe(first.groups)
    await changeGroup(deps(), group.id, { ...group, perm: only('delete') })
    expect((await acting()).perm).toEqual(only('delete'))
    expect(await actingUser(db, first)).toBe(first)
  })

  test('make tokens from before a change due for renewal', async () => {
    const group = await add('staff')
    vi.setSystemTime(Date.now() + 5000)
    await enter(group)
    expect((await acting()).modifiedAt).toBe(Date.now())
  })
})

describe('the rules of groups', () => {
  const NAMES = ['a', 'b', 'c']
  const random = randomNumbers(20_260_101)
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const somePath = () => `/${Array.from({ length: 1 + random(3) }, () => pick(NAMES)).join('/')}`
  const someRules = (most: number): Rule[] =>
    Array.from({ length: random(most + 1) }, () => {
      const regex = random(4) === 0
      const raw = `${pick(NAMES)}/${pick(NAMES)}`
      return { regex, allow: random(2) === 0, path: regex ? '' : somePath(), regexp: regex ? { raw } : null }
    })

  test('GRP-02 follow the global ones and precede the own ones, in 10 000 random sets', () => {
    for (let round = 0; round < 10_000; round++) {
      const [globalRules, own] = [someRules(3), someRules(3)]
      const groups = Array.from({ length: random(4) }, (_, index) => ({
        ...{ id: `g${index}`, name: `g${index}`, perm: NO_PERMISSIONS },
        rules: someRules(3),
      }))
      const actor = {
        ...{ scope: '/', perm: NO_PERMISSIONS, hideDotfiles: false, groups },
        rules: [...groups.flatMap(({ rules }) => rules), ...own],
        own: { perm: NO_PERMISSIONS, rules: own },
      }
      const path = somePath()
      const decision = policyFor(actor, globalRules).decide(parsePath(path))
      const expected = reference(
        [
          ...globalRules.map(rule => ({ rule, by: 'global' })),
          ...groups.flatMap(({ name, rules }) => rules.map(rule => ({ rule, by: name }))),
          ...own.map(rule => ({ rule, by: 'own' })),
        ],
        path,
      )
      if (!expected || decision === undefined || decision === 'hidden') {
        expect([expected, decision]).toEqual([undefined, undefined])
        continue
      }
      const { by, group } = causesOf(actor, globalRules).causeOf(decision.rule)
      expect([decision.rule, group?.name ?? by]).toEqual([expected.rule, expected.by])
    }
  })

  test('are in force in the order of the groups, which can be changed', async () => {
    const deny = { regex: false, allow: false, path: '/a', regexp: null }
    const [first, second] = [
      await add('first', NO_PERMISSIONS, [deny]),
      await add('second', NO_PERMISSIONS, [{ ...deny, allow: true }]),
    ]
    await enter(first)
    await enter(second)
    const sees = async () => policyFor(await acting(), []).sees(parsePath('/a/b'))
    expect(await sees()).toBe(true)
    await reorderGroups(deps(), [second.id, first.id])
    expect(await sees()).toBe(false)
    for (const ids of [[], [first.id], [first.id, first.id], [first.id, second.id, EVERYONE]]) {
      await expect(reorderGroups(deps(), ids)).rejects.toMatchObject({ code: 'bad_request' })
    }
  })
})

/** The last rule that matches. */
function reference(rules: readonly { rule: Rule; by: string }[], path: string) {
  return rules.findLast(({ rule }) =>
    rule.regex ? new RegExp(rule.regexp?.raw ?? '').test(path) : coversPath(rule.path, parsePath(path)),
  )
}

/** Whole numbers below a bound, the same in each run. */
function randomNumbers(seed: number): (bound: number) => number {
  let state = seed
  return bound => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

/** Functions of a module at its top level, with their texts. */
const functionsIn = (text: string): [string, string][] =>
  text.split(/\n(?=(?:export )?(?:async )?(?:function|const) )/).flatMap(body => {
    const [, name] = /^(?:export )?(?:async )?(?:function|const) (\w+)/.exec(body) ?? []
    return name === undefined ? [] : [[name, body] as [string, string]]
  })

/** The functions that write to one of some tables, and do not count up the epoch of the users it concerns. */
function unannounced(text: string, tables: readonly string[]): string[] {
  const some = tables.join('|')
  const writes = new RegExp(
    `(?:insertInto|updateTable|deleteFrom)\\(\\s*'(?:${some})'|(?:insert into|update|delete from) "?(?:${some})\\b`,
    'i',
  )
  return functionsIn(text).flatMap(([name, body]) => (writes.test(body) && !body.includes('bumpAccess(') ? [name] : []))
}

describe('GRP-04 the cached access of users', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url))
  const files = globSync('**/*.ts', { cwd: root }).filter(file => !/\.test\.ts$|^db\/migrations\//.test(file))
  const read = (file: string) => readFileSync(join(root, file), 'utf8')
  /** What `givenTo` reads, and the tables that these functions name. */
  const readers = ['membershipsOf', 'listGroupsOf', 'receivesAnything', 'mountsOf']
  const tables = files
    .filter(file => file.startsWith('features/groups/'))
    .flatMap(file => functionsIn(read(file)))
    .filter(([name]) => readers.includes(name))
    .flatMap(([, body]) => [...body.matchAll(/(?:selectFrom|innerJoin|leftJoin)\('(\w+)'/g)])
    .flatMap(([, table]) => table ?? [])

  test('is read from these tables', () => {
    const given = functionsIn(read('features/groups/acting-user.ts')).find(([name]) => name === 'givenTo')?.[1] ?? ''
    const asked = [...given.matchAll(/await (\w+)\(db/g)].flatMap(([, name]) => name ?? [])
    expect(asked.sort()).toEqual(readers.toSorted())
    expect([...new Set(tables)].sort()).toEqual(['grants', 'group_members', 'groups', 'mount_access', 'mounts'])
  })

  test('is read again after every write to one of them', () => {
    const left = files.flatMap(file => unannounced(read(file), tables))
    expect(left.sort()).toEqual([
      // What users would share with themselves gives them nothing.
      'deleteGrantsToOwner',
      // A new mount is given to no user.
      'insertMount',
    ])
  })

  test.each(['groups', 'group_members', 'mount_access'])(
    'would be stale after a write to %s that does not say so',
    table => {
      const write = (more: string) =>
        `const before = 1\nexport async function forgotten(db: Db) {\n  await db.updateTable('${table}').execute()\n${more}}\n`
      expect(unannounced(write(''), tables)).toEqual(['forgotten'])
      expect(unannounced(write("  await bumpAccess(db, 'everyone')\n"), tables)).toEqual([])
      const raw = `export const raw = (db: Db) => sql\`update ${table} set x = 1\`.execute(db)\n`
      expect(unannounced(raw, tables)).toEqual(['raw'])
    },
  )
})
