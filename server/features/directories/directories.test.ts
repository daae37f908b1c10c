import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { openDirectories } from '../../../test/ldap/directories.ts'
import { directoryAt } from '../../../test/ldap/sign-in.ts'
import { BASE, dnOf, group, person } from '../../../test/ldap/slapd.ts'
import { startSlapd } from '../../../test/ldap/start-slapd.ts'
import { countUsers } from '../users/users.store.ts'
import { writeRun } from './runs.store.ts'

const PASSWORD = 'a-password-of-the-directory'
const slapd = await startSlapd(
  [
    ...['eve', 'bob', 'ren'].map(uid => person(uid, PASSWORD)),
    person('numbered', PASSWORD, 'employeeNumber: 7\n'),
    person('bin', PASSWORD).replace('uid: bin', 'uid: bin\naudio:: /wD/'),
    group('north', [dnOf('eve')]),
    `dn: ou=far,${BASE}\nobjectClass: referral\nobjectClass: extensibleObject\nou: far\nref: ldap://127.0.0.1:1/ou=far\n`,
  ].join('\n'),
)
slapd.modify(`dn: cn=north,ou=groups,dc=example,dc=org\nchangetype: modify\nreplace: member\nmember: ${dnOf('bob')}\n`)

let logged = slapd.log().length
/** What the directory was asked since the last test. */
const asked = () => slapd.log().slice(logged)
afterEach(() => {
  logged = slapd.log().length
})

const WRONG = { code: 'wrong_credentials', message: 'wrong_credentials' }
const refused = (problem: string) => ({ code: 'identity_refused', message: problem, provider: 'Head office' })

describe('a directory', () => {
  test('LDAP-01 finds no user by a name that is a filter, which is escaped', async () => {
    const { logIn } = await openDirectories(directoryAt(slapd))
    const hostile = ['*', 'a)(uid=*', '\\00', 'admin1)(|(uid=*', 'bob\\2a', 'uid=bob,ou=people', '\u200fbob']
    for (const name of [...hostile, 'x'.repeat(10_000)])
      await expect(logIn(name, PASSWORD)).rejects.toMatchObject(WRONG)
    expect(asked()).toContain('(uid=\\2A)')
    expect(asked()).toContain('(uid=a\\29\\28uid=\\2A)')
    expect(asked()).toContain('(uid=admin1\\29\\28|\\28uid=\\2A)')
    expect(asked()).not.toContain('(uid=*)')
    expect(asked()).not.toContain('xxxxxxxxxx')
  })

  test('LDAP-02 is asked nothing about an empty password, spaces or control characters', async () => {
    const { logIn } = await openDirectories(directoryAt(slapd))
    for (const secret of ['', ' ', '   ', 'a\0b', '\0', `${PASSWORD}\n`, 'x'.repeat(1025)])
      await expect(logIn('bob', secret)).rejects.toMatchObject(WRONG)
    expect(asked()).not.toContain('BIND')
  })

  test('LDAP-02 is asked nothing of the kind about a user who has an account, at the sign-in or for a confirmation', async () => {
    const { directories, logIn } = await openDirectories(directoryAt(slapd))
    const { user } = (await logIn('bob', PASSWORD)) ?? expect.fail()
    const before = asked()
    for (const secret of ['', ' ', 'a\0b']) {
      await expect(logIn('bob', secret)).rejects.toMatchObject(WRONG)
      expect(await directories.knows(user, secret)).toBe(false)
    }
    expect(asked()).toBe(before)
    expect(await directories.knows(user, PASSWORD)).toBe(true)
  })

  test('LDAP-12 makes no account for an entry without a fixed id, or with bytes for a name', async () => {
    const numbers = await openDirectories(directoryAt(slapd, { subjectAttribute: 'employeeNumber' }))
    await expect(numbers.logIn('eve', PASSWORD)).rejects.toMatchObject(refused('bad_claims'))
    const binary = await openDirectories(directoryAt(slapd, { usernameAttribute: 'audio' }))
    await expect(binary.logIn('bin', PASSWORD)).rejects.toMatchObject(refused('bad_claims'))
    expect(await countUsers(binary.db)).toBe(2)
    expect(numbers.warnings).toMatchObject([{ directory: 'corp', problem: 'bad_claims', dn: dnOf('eve') }])
    expect((await numbers.logIn('numbered', PASSWORD))?.user.username).toBe('numbered')
  })

  test('LDAP-12 makes no account where the base is at another server, which is not asked, and says so in the log', async () => {
    const { logIn, warnings, db } = await openDirectories(directoryAt(slapd, { base: `ou=far,${BASE}` }))
    await expect(logIn('bob', PASSWORD)).rejects.toMatchObject({ code: 'provider_unavailable' })
    expect(await countUsers(db)).toBe(2)
    expect(asked()).not.toContain(dnOf('bob'))
    expect(warnings).toMatchObject([{ directory: 'corp', reason: expect.stringContaining(`ou=far,${BASE}`) }])
  })

  test('lets in only users of allowed groups, by their name or DN, in any letter case', async () => {
    const by = (allow: string[]) => openDirectories(directoryAt(slapd, { groups: 'memberOf', allow }))
    const { logIn } = await by(['NORTH'])
    await expect(logIn('eve', PASSWORD)).rejects.toMatchObject(refused('not_allowed'))
    expect((await logIn('bob', PASSWORD))?.user.username).toBe('bob')
    expect((await (await by(['cn=North,ou=*'])).logIn('bob', PASSWORD))?.user.username).toBe('bob')
    await expect((await by(['north-*'])).logIn('bob', PASSWORD)).rejects.toMatchObject(refused('not_allowed'))
  })

  test('gives many first sign-ins at once one account', async () => {
    const { logIn, db } = await openDirectories(directoryAt(slapd))
    const found = await Promise.all(Array.from({ length: 10 }, () => logIn('bob', PASSWORD)))
    expect(new Set(found.map(one => one?.user.id)).size).toBe(1)
    expect(await countUsers(db)).toBe(3)
  })

  test('lets a user in whose second sign-in begins while the first one makes the account', async () => {
    const { logIn } = await openDirectories(directoryAt(slapd))
    const entered = Array.from({ length: 60 }, async (_, index) => {
      await pause(3 * index)
      return (await logIn('eve', PASSWORD))?.user.username
    })
    expect(await Promise.all(entered)).toEqual(Array(60).fill('eve'))
  })

  test('makes no account where the host lets it make none, and a name with a number where it may', async () => {
    const none = await openDirectories(directoryAt(slapd, { createUsers: false }))
    await expect(none.logIn('bob', PASSWORD)).rejects.toMatchObject(refused('no_account'))
    const other = await openDirectories(directoryAt(slapd), directoryAt(slapd, { slug: 'lab', onTaken: 'suffix' }))
    const first = await other.logIn('bob', PASSWORD)
    expect(await other.logIn('bob', PASSWORD)).toEqual(first)
  })

  test('gives an account the new name of its user where the host says so, which the audit log has', async () => {
    const { logIn, recorded } = await openDirectories(directoryAt(slapd, { followNames: true }))
    const first = await logIn('ren', PASSWORD)
    slapd.modify(`dn: ${dnOf('ren')}\nchangetype: modrdn\nnewrdn: uid=renata\ndeleteoldrdn: 1\n`)
    const second = await logIn('renata', PASSWORD)
    expect(second?.user).toMatchObject({ id: first?.user.id, username: 'renata' })
    expect(recorded).toEqual([expect.objectContaining({ action: 'user.change', way: 'ldap', target: 'name: ren' })])
    await expect(logIn('ren', PASSWORD)).rejects.toMatchObject(WRONG)
  })

  test('reports to administrators whether it answers, and whether passwords are sent in plain text', async () => {
    const gone = directoryAt(slapd, { slug: 'gone', label: 'Gone', urls: ['ldap://127.0.0.1:1'] })
    const plain = directoryAt(slapd, { slug: 'plain', label: 'Plain', tls: 'none', allowPlain: true })
    const wrong = directoryAt(slapd, { slug: 'wrong', label: 'Wrong', bindPassword: 'wrong' })
    const { directories, db } = await openDirectories(directoryAt(slapd), gone, plain, wrong)
    await writeRun(db, 'corp', { at: 1, state: 'doubtful', open: 20 })
    expect((await directories.findings()).map(({ code, what }) => [code, what])).toEqual([
      ['directoryUp', 'Head office'],
      ['directoryDoubtful', 'Head office'],
      ['directoryAway', 'Gone'],
      ['directoryUp', 'Plain'],
      ['directoryPlain', 'Plain'],
      ['directoryAway', 'Wrong'],
    ])
  })
})
