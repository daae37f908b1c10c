import { describe, expect, test } from 'vitest'
import { openDirectories } from '../../../test/ldap/directories.ts'
import { directoryAt } from '../../../test/ldap/sign-in.ts'
import { BASE, dnOf, group, groupDn, person } from '../../../test/ldap/slapd.ts'
import { startSlapd } from '../../../test/ldap/start-slapd.ts'
import { primaryGroupSid } from './sid.ts'

const PASSWORD = 'a-password-of-the-directory'
const LEVELS = Array.from({ length: 12 }, (_, index) => index)
const CROWD = Array.from({ length: 6000 }, (_, index) => index)
const slapd = await startSlapd(
  [
    ...['deep', 'round', 'many', 'eve'].map(uid => person(uid, PASSWORD)),
    ...LEVELS.map(level => group(`level${level}`, [level === 0 ? dnOf('deep') : groupDn(`level${level - 1}`)])),
    group('ring1', [dnOf('round'), groupDn('ring2')]),
    group('ring2', [groupDn('ring1')]),
    ...CROWD.map(index => group(`crowd${index}`, [dnOf('many')])),
    `dn: ou=lab,${BASE}\nobjectClass: organizationalUnit\nou: lab\n`,
    group('admins', [dnOf('eve')], 'lab'),
    group('a\\2Cb', [dnOf('many')]).replace('cn: a\\2Cb', 'cn: a,b'),
  ].join('\n'),
)
// The overlay of the server fills `memberOf` when a group changes.
slapd.modify(
  ['ring1', 'level0', 'a\\2Cb']
    .map(name => `dn: ${groupDn(name)}\nchangetype: modify\nadd: member\nmember: ${dnOf('eve')}\n`)
    .join('\n'),
)

async function groupsOf(name: string, more: object): Promise<{ names: string[]; isCut: boolean }> {
  const { directories } = await openDirectories(directoryAt(slapd, more))
  const vouched = await directories.all[0]?.verify(name, PASSWORD)
  if (!vouched) throw new Error('no entry')
  const { names, isCut } = vouched.groups
  return { names: names.filter(text => !text.includes('=')), isCut }
}

describe('LDAP-08 the groups of a user', () => {
  test('are those around them, for ten levels', async () => {
    const { names, isCut } = await groupsOf('deep', { nested: 'expand' })
    expect(names).toEqual(LEVELS.slice(0, 10).map(level => `level${level}`))
    expect(isCut).toBe(true)
    expect((await groupsOf('deep', { nested: 'off' })).names).toEqual(['level0'])
  })

  test('in a ring are each found once', async () => {
    expect(await groupsOf('round', {})).toEqual({ names: ['ring1', 'ring2'], isCut: false })
  })

  test('are at most five thousand', async () => {
    const { names } = await groupsOf('many', { nested: 'off' })
    expect(names).toHaveLength(5000)
  })

  test('are the same by a search and by what the entry says, below the base of groups only', async () => {
    const here = { groupBase: `ou=groups,${BASE}`, nested: 'off' }
    const [searched, said] = [
      await groupsOf('eve', { ...here }),
      await groupsOf('eve', { ...here, groups: 'memberOf' }),
    ]
    expect(searched.names.toSorted()).toEqual(['a,b', 'level0', 'ring1'])
    expect(said.names.toSorted()).toEqual(searched.names.toSorted())
    expect((await groupsOf('eve', { nested: 'off' })).names).toContain('admins')
  })

  test('are the same by both with those around them, also in a ring', async () => {
    const here = { groupBase: `ou=groups,${BASE}`, nested: 'expand' }
    const [searched, said] = [await groupsOf('eve', here), await groupsOf('eve', { ...here, groups: 'memberOf' })]
    expect(searched.names.toSorted()).toEqual([
      'a,b',
      ...LEVELS.slice(0, 10).map(level => `level${level}`),
      ...['ring1', 'ring2'],
    ])
    expect({ ...said, names: said.names.toSorted() }).toEqual({ ...searched, names: searched.names.toSorted() })
  })

  test('are refused where the settings ask for what the server cannot do', async () => {
    await expect(groupsOf('eve', { nested: 'chain' })).rejects.toMatchObject({ fault: 'unusable' })
  })

  test('have the number of the primary group at the end of the identifier of the user', () => {
    const sid = Buffer.from('010500000000000515000000a065cf7e784b9b5fe77c8770f4010000', 'hex')
    expect(primaryGroupSid(sid, '513')).toBe('S-1-5-21-2127521184-1604012920-1887927527-513')
    expect(primaryGroupSid(sid.subarray(0, 20), '513')).toBeUndefined()
    expect(primaryGroupSid(undefined, '513')).toBeUndefined()
    expect(primaryGroupSid(sid, 'x')).toBeUndefined()
  })
})
