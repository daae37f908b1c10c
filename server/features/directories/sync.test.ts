import { describe, expect, test } from 'vitest'
import { NO_PERMISSIONS } from '../../../shared/permissions.ts'
import { type Fixture, openDirectories } from '../../../test/ldap/directories.ts'
import { type Fault, openRelay } from '../../../test/ldap/relay.ts'
import { directoryAt } from '../../../test/ldap/sign-in.ts'
import { BASE, dnOf, group, groupDn, person } from '../../../test/ldap/slapd.ts'
import { startSlapd } from '../../../test/ldap/start-slapd.ts'
import { findActingUser } from '../groups/acting-user.ts'
import { addGroup } from '../groups/groups.ts'
import { lastRun } from './runs.store.ts'
import { syncDirectory } from './sync.ts'

const PASSWORD = 'a-password-of-the-directory'
const MANY = Array.from({ length: 20 }, (_, index) => `user${index}`)
const slapd = await startSlapd(
  [
    ...['gone', 'shut', 'moved', 'stays', ...MANY].map(uid => person(uid, PASSWORD)),
    group('staff', [dnOf('stays'), dnOf('gone')]),
  ].join('\n'),
)

/** A directory whose accounts these are, and what became of them. */
async function withAccounts(names: readonly string[], more: object = {}) {
  const fixture = await openDirectories(directoryAt(slapd, { groupMap: { staff: 'staff' }, ...more }))
  await addGroup(fixture, { name: 'staff', description: '', perm: { ...NO_PERMISSIONS, share: true }, rules: [] })
  const ids = new Map<string, number>()
  for (const name of names) ids.set(name, (await fixture.logIn(name, PASSWORD))?.user.id ?? 0)
  const closed: number[] = []
  const opened: number[] = []
  const deps = {
    ...fixture,
    closed: async (id: number) => void closed.push(id),
    opened: async (id: number) => void opened.push(id),
  }
  const [directory] = fixture.directories.all
  if (!directory) throw new Error('there is no directory')
  return { fixture, ids, closed, opened, sync: (how = {}) => syncDirectory(deps, directory, how) }
}

const groupsOf = async ({ db }: Fixture, id = 0) => (await findActingUser(db, id))?.groups.map(({ name }) => name)

describe('LDAP-07 a comparison with the directory', () => {
  test('closes who is missing or closed for the second time, and opens them when they are back', async () => {
    const { fixture, ids, closed, opened, sync } = await withAccounts(['gone', 'shut', 'moved', 'stays'])
    const [gone = 0, shut = 0, moved = 0, stays = 0] = [...ids.values()]
    expect(await sync()).toMatchObject({ state: 'good', accounts: 4, open: 4, missing: 0, closed: 0 })
    slapd.modify(`dn: ${dnOf('gone')}\nchangetype: delete\n`)
    slapd.modify(`dn: ${dnOf('shut')}\nchangetype: modify\nadd: shadowExpire\nshadowExpire: 1\n`)
    slapd.modify(
      `dn: ${dnOf('moved')}\nchangetype: modrdn\nnewrdn: uid=elsewhere\ndeleteoldrdn: 1\nnewsuperior: ou=groups,${BASE}\n`,
    )
    expect(await sync({ tries: true })).toMatchObject({ missing: 2, closed: 0 })
    expect(await sync()).toMatchObject({ missing: 2, closed: 0 })
    expect(await groupsOf(fixture, gone)).toEqual(['everyone', 'staff'])
    expect(await sync()).toMatchObject({ missing: 0, closed: 2 })
    expect(closed).toEqual([...new Set(closed)])
    expect(closed.toSorted()).toEqual([gone, shut].toSorted())
    expect(await Promise.all([gone, shut, moved, stays].map(id => groupsOf(fixture, id)))).toEqual([
      undefined,
      undefined,
      ['everyone'],
      ['everyone', 'staff'],
    ])
    slapd.modify(`dn: ${dnOf('shut')}\nchangetype: modify\ndelete: shadowExpire\n`)
    expect(await sync()).toMatchObject({ reopened: 1 })
    expect(opened).toEqual([shut])
    expect((await fixture.logIn('shut', PASSWORD))?.user.id).toBe(shut)
    await expect(fixture.logIn('gone', PASSWORD)).rejects.toMatchObject({ code: 'wrong_credentials' })
  })

  test('changes no account when most are missing, unless the host accepts that, or when the directory is unavailable', async () => {
    const { fixture, closed, sync } = await withAccounts(MANY)
    await sync()
    for (const name of MANY.slice(0, 12)) slapd.modify(`dn: ${dnOf(name)}\nchangetype: delete\n`)
    for (let run = 0; run < 3; run += 1) expect(await sync()).toMatchObject({ state: 'doubtful', open: 8 })
    await slapd.stop()
    await expect(sync()).rejects.toMatchObject({ fault: 'away' })
    expect(await lastRun(fixture.db, 'corp')).toMatchObject({ state: 'failed', open: 20 })
    await slapd.start()
    expect(closed).toEqual([])
    expect(await sync({ accept: true })).toMatchObject({ state: 'good', missing: 12 })
    expect(await sync()).toMatchObject({ state: 'good', closed: 12 })
    expect(closed).toHaveLength(12)
  })

  test('changes no account when the connection ends in the middle', async () => {
    // The answers are those to the bind, to the list of entries, and to the search for the groups of each of them.
    for (const breaksAt of [1, 2, 3]) {
      const fault: Fault = {}
      const relay = await openRelay(slapd.port, fault)
      const plain = { urls: [`ldap://127.0.0.1:${relay.port}`], tls: 'none', allowPlain: true }
      const { fixture, ids, closed, sync } = await withAccounts(['stays', ...MANY.slice(12)], plain)
      expect(await sync()).toMatchObject({ state: 'good', accounts: 9, open: 9 })
      slapd.modify(`dn: ${groupDn('staff')}\nchangetype: modify\nreplace: member\nmember: ${dnOf('user12')}\n`)
      fault.breaksAt = breaksAt
      for (let run = 0; run < 2; run += 1) await expect(sync()).rejects.toMatchObject({ fault: 'away' })
      expect(closed).toEqual([])
      expect(await groupsOf(fixture, ids.get('stays'))).toEqual(['everyone', 'staff'])
      expect(await lastRun(fixture.db, 'corp')).toMatchObject({ state: 'failed', open: 9 })
      delete fault.breaksAt
      expect(await sync()).toMatchObject({ state: 'good', open: 9, missing: 0, closed: 0 })
      expect(await groupsOf(fixture, ids.get('stays'))).toEqual(['everyone'])
      slapd.modify(`dn: ${groupDn('staff')}\nchangetype: modify\nreplace: member\nmember: ${dnOf('stays')}\n`)
    }
  })
})
