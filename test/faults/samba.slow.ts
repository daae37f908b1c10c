import { describe, expect, test } from 'vitest'
import { call, claimsOf, json, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { hasSamba, startSamba } from '../ldap/samba.ts'
import { logIn, withDirectories } from '../ldap/sign-in.ts'

const PASSWORD = 'a-password-of-the-User-7'

describe.runIf(hasSamba)('Samba as a domain controller', async () => {
  const samba = await startSamba()
  for (const name of ['ann', 'bob', 'eve'])
    samba.tool('user', 'create', name, PASSWORD, '--mail-address', `${name}@x.example`)
  for (const name of ['Files', 'North', 'Staff']) samba.tool('group', 'add', name)
  samba.tool('group', 'addmembers', 'Staff', 'North')
  samba.tool('group', 'addmembers', 'Files', 'Staff')
  samba.tool('group', 'addmembers', 'North', 'ann')
  samba.tool('group', 'addmembers', 'Files', 'bob')
  const settings = { ...samba.settings, allow: ['Files'], groupMap: { staff: 'Editors' } }
  const server = await serve(withDirectories([settings]))
  const admin = await signIn(server)
  const ask = (method: string, path: string, body?: object) =>
    call(server, path, { method, token: admin, ...(body && { body: JSON.stringify(body) }) })
  await ask('POST', '/api/groups', { name: 'Editors', perm: { admin: true } })
  const refusalOf = async (name: string, password = PASSWORD) => {
    const { status, headers } = await logIn(server, name, password)
    return [status, headers.get('x-error-code'), headers.get('x-problem')]
  }
  const compare = async () => json(await ask('POST', '/api/directories/corp/sync'))

  test('signs users in by the short name, the principal name and the mail address, in any letter case', async () => {
    const ids = []
    for (const name of ['ann', 'ANN', 'ann@corp.example', 'ann@x.example']) {
      const { status, text } = await logIn(server, name, PASSWORD)
      expect(status).toBe(200)
      ids.push(claimsOf(text).user.id)
    }
    expect(new Set(ids).size).toBe(1)
    expect(await refusalOf('ann', 'a-wrong-password')).toEqual([403, 'wrong_credentials', null])
  })

  test('finds groups in groups, for rights and for who may come in', async () => {
    const { user } = claimsOf((await logIn(server, 'ann', PASSWORD)).text)
    expect(user.perm.admin).toBe(true)
    expect(claimsOf((await logIn(server, 'bob', PASSWORD)).text).user.perm.admin).toBe(false)
    expect(await refusalOf('eve')).toEqual([403, 'identity_refused', 'not_allowed'])
    samba.tool('group', 'removemembers', 'Staff', 'North')
    samba.tool('group', 'addmembers', 'Files', 'North')
    expect(claimsOf((await logIn(server, 'ann', PASSWORD)).text).user).toMatchObject({
      id: user.id,
      perm: { admin: false },
    })
  })

  test('counts the primary group of a user', async () => {
    const domainUsers = { ...settings, allow: ['Domain Users'] }
    const own = await serve(withDirectories([domainUsers]))
    expect((await logIn(own, 'eve', PASSWORD)).status).toBe(200)
  })

  test('closes accounts that it disables, with their sessions, and opens them again', async () => {
    const { text: token } = await logIn(server, 'bob', PASSWORD)
    samba.tool('user', 'disable', 'bob')
    expect((await refusalOf('bob'))[0]).toBe(403)
    expect(await compare()).toMatchObject({ state: 'good', missing: 1, closed: 0 })
    expect((await call(server, '/api/resources/', { token })).status).toBe(200)
    expect(await compare()).toMatchObject({ state: 'good', closed: 1 })
    expect((await call(server, '/api/resources/', { token })).status).toBe(401)
    samba.tool('user', 'enable', 'bob')
    expect(await compare()).toMatchObject({ state: 'good', reopened: 1, open: 2 })
    expect((await logIn(server, 'bob', PASSWORD)).status).toBe(200)
  })

  test('keeps the account of a user who is renamed', async () => {
    const { id } = claimsOf((await logIn(server, 'ann', PASSWORD)).text).user
    samba.tool('user', 'rename', 'ann', '--samaccountname=anna', '--upn=anna@corp.example')
    expect(claimsOf((await logIn(server, 'anna', PASSWORD)).text).user).toMatchObject({ id, username: 'ann' })
  })
})
