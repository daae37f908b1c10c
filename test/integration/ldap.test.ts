import { spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { call, claimsOf, json, signIn } from '../api/client.ts'
import { ADMIN_PASSWORD } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { directoryAt, logIn, withDirectories } from '../ldap/sign-in.ts'
import { BASE, dnOf, group, groupDn, person } from '../ldap/slapd.ts'
import { startSlapd } from '../ldap/start-slapd.ts'
import { basic } from './dav-place.ts'

const PASSWORD = 'a-password-of-the-directory'
const slapd = await startSlapd(
  [
    ...['ann', 'bob', 'admin', 'twin-1', 'twin-2', 'dora', 'mia', 'vera', 'una'].map(uid => person(uid, PASSWORD)),
    person('closed', PASSWORD, 'shadowExpire: 1\n'),
    `dn: ou=far,${BASE}\nobjectClass: referral\nobjectClass: extensibleObject\nou: far\nref: ldap://127.0.0.1:1/ou=far\n`,
    group('north', [dnOf('ann')]),
    group('staff', [groupDn('north')]),
    group('Readers', [dnOf('vera')]),
  ].join('\n'),
)
slapd.modify(`dn: ${dnOf('twin-2')}\nchangetype: modify\nreplace: mail\nmail: twin-1@example.org\n`)
const server = await serve(
  withDirectories([directoryAt(slapd, { groupMap: { Staff: 'Staff' } })], { args: ['--dav', 'on'] }),
)
const admin = await signIn(server)
const ask = (method: string, path: string, token: string, body?: object) =>
  call(server, path, { method, token, ...(body && { body: JSON.stringify(body) }) })
const names = async (): Promise<string[]> =>
  json(await ask('GET', '/api/users', admin)).map(({ username }: { username: string }) => username)

let logged = slapd.log().length
/** What the directory was asked since the last test. */
const asked = () => slapd.log().slice(logged)
afterEach(() => {
  logged = slapd.log().length
})

const refusal = ({ status, headers }: Awaited<ReturnType<typeof logIn>>) => [
  status,
  headers.get('x-error-code'),
  headers.get('x-problem'),
  headers.get('x-provider'),
]
const WRONG = [403, 'wrong_credentials', null, null]

describe('signing in with a directory', () => {
  test('goes over StartTLS, makes an account, and gives the groups around those of the user', async () => {
    await ask('POST', '/api/groups', admin, { name: 'Staff', perm: { admin: true } })
    const answer = await logIn(server, 'ann', PASSWORD)
    const { user } = claimsOf(answer.text)
    expect(user).toMatchObject({ username: 'ann', lockPassword: true, perm: { admin: true } })
    expect(asked().indexOf('STARTTLS')).toBeLessThan(asked().indexOf('BIND'))
    expect(claimsOf((await logIn(server, 'ann@example.org', PASSWORD)).text).user.id).toBe(user.id)
    expect((await ask('GET', '/api/resources/', answer.text)).status).toBe(200)
    slapd.modify(`dn: ${groupDn('north')}\nchangetype: modify\nreplace: member\nmember: ${dnOf('bob')}\n`)
    expect(claimsOf((await logIn(server, 'ann', PASSWORD)).text).user.perm.admin).toBe(false)
  })

  test('finds the account again when the entry has another name and place', async () => {
    const { id } = claimsOf((await logIn(server, 'mia', PASSWORD)).text).user
    const move = `changetype: modrdn\nnewrdn: uid=maria\ndeleteoldrdn: 1\nnewsuperior: ${BASE}\n`
    slapd.modify(`dn: ${dnOf('mia')}\n${move}`)
    expect(claimsOf((await logIn(server, 'maria', PASSWORD)).text).user).toMatchObject({ id, username: 'mia' })
    expect(claimsOf((await logIn(server, 'mia', PASSWORD)).text).user.id).toBe(id)
  })

  test('gives the same answer for a wrong password and for an unknown name, and keeps no password', async () => {
    for (const [name, secret] of [
      ['bob', 'wrong'],
      ['nobody', PASSWORD],
      ['admin', 'wrong'],
    ] as const)
      expect(refusal(await logIn(server, name, secret))).toEqual(WRONG)
    const log = await server.log()
    expect(log).not.toContain(PASSWORD)
    expect(log).not.toContain('nobody')
  })

  test('LDAP-06 never takes over a local account, whose password stays the local one', async () => {
    expect(refusal(await logIn(server, 'admin', PASSWORD))).toEqual(WRONG)
    expect(asked()).not.toContain('BIND')
    expect(claimsOf((await logIn(server, 'admin', ADMIN_PASSWORD)).text).user).toMatchObject({ id: 1 })
    const other = await logIn(server, 'admin@example.org', PASSWORD)
    expect(refusal(other)).toEqual([403, 'identity_refused', 'name_taken', 'Head%20office'])
    expect(await names()).not.toContain('admin@example.org')
  })

  test('LDAP-12 refuses a name of two entries, and follows no referral', async () => {
    expect(refusal(await logIn(server, 'twin-1@example.org', PASSWORD))).toEqual(WRONG)
    expect(await server.log()).toContain('several entries have the name')
    expect(refusal(await logIn(server, 'twin-2', PASSWORD))[0]).toBe(200)
    expect(await names()).not.toContain('twin-1')
  })

  test('makes the folder of a newcomer by the template, and none of a value that leads elsewhere', async () => {
    slapd.modify(`dn: ${dnOf('una')}\nchangetype: modify\nreplace: departmentNumber\ndepartmentNumber: North 7\n`)
    slapd.modify(`dn: ${dnOf('dora')}\nchangetype: modify\nreplace: departmentNumber\ndepartmentNumber: ../..\n`)
    const homeTemplate = '/people/{attribute:departmentNumber}/{username}'
    const own = await serve(withDirectories([directoryAt(slapd, { homeTemplate })]))
    const { user } = claimsOf((await logIn(own, 'una', PASSWORD)).text)
    const stored = await call(own, `/api/users/${user.id}`, { token: await signIn(own) })
    expect(json(stored).scope).toBe('/people/North-7/una')
    for (const name of ['dora', 'bob']) expect(refusal(await logIn(own, name, PASSWORD))[2]).toBe('bad_claims')
    expect(await readdir(join(own.root, 'people'))).toEqual(['North-7'])
  })

  test('refuses a user whom the directory has closed, and makes no account', async () => {
    expect(refusal(await logIn(server, 'closed', PASSWORD))).toEqual([
      403,
      'identity_refused',
      'not_allowed',
      'Head%20office',
    ])
    expect(refusal(await logIn(server, 'closed', 'wrong'))).toEqual(WRONG)
    expect(await names()).not.toContain('closed')
  })

  test('does not bring back a user whose account an administrator removed', async () => {
    const { id } = claimsOf((await logIn(server, 'dora', PASSWORD)).text).user
    expect((await ask('DELETE', `/api/users/${id}`, admin, {})).status).toBe(200)
    expect(refusal(await logIn(server, 'dora', PASSWORD))[2]).toBe('disabled')
  })

  test('lets programs in by WebDAV, with the password and with a token', async () => {
    const { text: token } = await logIn(server, 'bob', PASSWORD)
    const made = await ask('POST', '/api/tokens', token, { label: 'rclone', scopes: ['read'] })
    const read = async (secret: string) =>
      (await call(server, '/dav/', { method: 'PROPFIND', headers: { Authorization: basic('bob', secret) } })).status
    expect([await read(PASSWORD), await read(json(made).token), await read('wrong')]).toEqual([207, 207, 401])
    expect((await ask('GET', '/api/resources/', json(made).token)).status).toBe(200)
  })

  test('asks for the second factor behind the password of the directory', async () => {
    const { text: token } = await logIn(server, 'bob', PASSWORD)
    const { secret } = json(await ask('POST', '/api/account/totp', token, {}))
    const code = () => spawnSync('oathtool', ['--totp', '-b', secret], { encoding: 'utf8' }).stdout.trim()
    expect((await ask('POST', '/api/account/totp/confirm', token, { code: code() })).status).toBe(200)
    const asks = await logIn(server, 'bob', PASSWORD)
    expect(refusal(asks).slice(0, 2)).toEqual([403, 'second_factor_required'])
    expect(asks.headers.get('x-login-ticket')).toBeTruthy()
    expect(refusal(await logIn(server, 'bob', 'wrong'))).toEqual(WRONG)
  })

  test('LDAP-11 has seen four of twenty wrong passwords, and the user comes in from a known network', async () => {
    const from = (address: string, secret: string) => logIn(server, 'vera', secret, { address })
    expect((await from('10.1.1.1', PASSWORD)).status).toBe(200)
    const before = slapd.log().length
    const statuses: number[] = []
    for (let guess = 0; guess < 20; guess += 1) statuses.push((await from(`10.2.${guess}.1`, 'wrong')).status)
    expect(statuses).toEqual([...Array(4).fill(403), ...Array(16).fill(429)])
    expect(
      slapd
        .log()
        .slice(before)
        .match(/BIND dn="uid=vera,[^"]*" method/g),
    ).toHaveLength(4)
    expect((await from('10.1.1.1', PASSWORD)).status).toBe(200)
  })
})

describe('a trial of a directory', () => {
  const attempt = async (body: object, slug = 'corp') => {
    const answer = await ask('POST', `/api/directories/${slug}/trial`, admin, {
      current_password: ADMIN_PASSWORD,
      ...body,
    })
    return answer.status === 200 ? json(answer) : answer.status
  }
  const failed = ({ steps }: { steps: { step: string; failed?: string }[] }) => steps.at(-1)

  test('shows the steps, the attributes, the groups and the account, and makes none', async () => {
    slapd.modify(`dn: ${groupDn('north')}\nchangetype: modify\nadd: member\nmember: ${dnOf('una')}\n`)
    await ask('POST', '/api/groups', admin, { name: 'Staff' })
    const before = await names()
    const found = await attempt({ username: 'una', password: PASSWORD })
    expect(found.steps).toEqual([
      { step: 'connection', found: `127.0.0.1:${slapd.port} (starttls)` },
      { step: 'entry', found: dnOf('una') },
      { step: 'password' },
      { step: 'groups' },
    ])
    expect(found.arrived).toMatchObject({ groups: ['north', 'staff'], groupsHere: ['Staff'], groupsMissing: [] })
    expect(found.arrived.account).toEqual({ outcome: 'new', username: 'una' })
    expect(found.arrived.claims).toContainEqual({ name: 'uid', value: 'una' })
    expect(JSON.stringify(found)).not.toContain(PASSWORD)
    expect(await names()).toEqual(before)
    const { steps } = await attempt({ username: 'una' })
    expect(steps.map(({ step }: { step: string }) => step)).toEqual(['connection', 'entry', 'groups'])
  })

  test('names the account that exists, and why a user is refused', async () => {
    await logIn(server, 'ann', PASSWORD)
    expect((await attempt({ username: 'ann' })).arrived.account).toEqual({ outcome: 'known', username: 'ann' })
    expect((await attempt({ username: 'admin' })).arrived.account).toMatchObject({ problem: 'name_taken' })
    expect((await attempt({ username: 'closed' })).arrived.account).toMatchObject({
      problem: 'not_allowed',
      reason: 'the directory has closed the account',
    })
  })

  test('has the exact reason of the step that failed, and counts wrong passwords', async () => {
    expect(failed(await attempt({ username: 'nobody' }))).toMatchObject({
      step: 'entry',
      failed: 'no entry has the name',
    })
    expect(failed(await attempt({ username: 'twin-1@example.org' }))?.failed).toBe('several entries have the name')
    const answers: unknown[] = []
    for (let guess = 0; guess < 5; guess += 1) answers.push(await attempt({ username: 'una', password: 'wrong' }))
    expect(failed(answers[0] as { steps: [] })).toMatchObject({
      step: 'password',
      failed: expect.stringContaining('0x31'),
    })
    expect(answers.at(-1)).toBe(429)
    expect(await attempt({ username: 'una' }, 'none')).toBe(404)
    expect(await attempt({ username: 'una', current_password: 'wrong' })).toBe(400)
  })
})

test('administrators compare the accounts with a directory, and see how that ended', async () => {
  const away = directoryAt({ ...slapd, port: 1 }, { slug: 'away', label: 'Branch' })
  const own = await serve(withDirectories([directoryAt(slapd, { importGroups: 'all' }), away]))
  const token = await signIn(own)
  const compare = (slug: string) => call(own, `/api/directories/${slug}/sync`, { method: 'POST', token })
  const list = async () => json(await call(own, '/api/providers', { token }))
  expect(await list()).toMatchObject([
    { kind: 'ldap', slug: 'corp', label: 'Head office', answers: true, compared: null },
    { kind: 'ldap', slug: 'away', label: 'Branch', answers: false, compared: null },
  ])
  for (const name of ['bob', 'vera']) expect((await logIn(own, name, PASSWORD)).status).toBe(200)
  const readers = json(await call(own, '/api/groups', { token })).at(-1)
  expect(readers).toMatchObject({ name: 'Readers', description: 'Head office', members: 1 })
  slapd.modify(`dn: ${groupDn('Readers')}\nchangetype: modify\nreplace: member\nmember: ${dnOf('mia')}\n`)
  slapd.modify(`dn: ${dnOf('bob')}\nchangetype: delete\n`)
  expect(json(await compare('corp'))).toMatchObject({ state: 'good', accounts: 2, open: 1, missing: 1, closed: 0 })
  expect(json(await compare('corp'))).toMatchObject({ state: 'good', missing: 0, closed: 1 })
  expect(json(await call(own, `/api/groups/${readers.id}`, { token })).members).toBe(0)
  const { status, headers } = await compare('away')
  expect([status, headers.get('x-error-code')]).toEqual([503, 'provider_unavailable'])
  const [corp, branch] = await list()
  expect(corp.compared).toMatchObject({ state: 'good', open: 1 })
  expect(branch.compared).toMatchObject({ state: 'failed', open: 0 })
  expect(branch.compared.reason).toBe(branch.reason)
})
