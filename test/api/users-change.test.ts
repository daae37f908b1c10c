import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { GOOD_PASSWORD, manager, newcomer, newUser, OTHER_PASSWORD, perm } from './accounts.ts'
import { call, json, login, person, signIn } from './client.ts'
import { uniqueName } from './harness.ts'
import { openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await manager(wire)

const addUser = (fields?: Record<string, unknown>) => newcomer(wire, admin, fields)
const recordOf = async (id: number) => json(await admin.get(id))

describe('changing a user', () => {
  test('writes the named fields and no others', async () => {
    const { id } = await addUser({ locale: 'de', singleClick: true, scope: '/somewhere' })
    const before = await recordOf(id)
    const answer = await admin.update(id, ['hideDotfiles', 'DateFormat'], { hideDotfiles: true, dateFormat: true })
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('200 OK\n')
    expect(await recordOf(id)).toEqual({ ...before, hideDotfiles: true, dateFormat: true })
  })

  test.each([[[]], [['all']], [['All']], [null], [undefined]])('with which %j writes all fields', async which => {
    const { id, name } = await addUser({ locale: 'de', hideDotfiles: true })
    const answer = await admin.update(id, which, { ...newUser(name), id, locale: 'fr', password: '' })
    expect(answer.status).toBe(200)
    expect(await recordOf(id)).toMatchObject({ username: name, locale: 'fr', hideDotfiles: false })
    expect((await login(wire, name, GOOD_PASSWORD)).status).toBe(200)
  })

  test.each([
    ['an unknown field', ['locale', 'shoeSize']],
    ['all with others', ['all', 'locale']],
    ['the id', ['id']],
    ['a text as which', 'locale'],
    ['numbers in which', [1]],
  ])('is refused with %s', async (_what, which) => {
    const { id } = await addUser()
    const before = await recordOf(id)
    expect((await admin.update(id, which, { locale: 'fr' })).status).toBe(400)
    expect(await recordOf(id)).toEqual(before)
  })

  test('is refused when the data belong to another user', async () => {
    const { id } = await addUser()
    expect((await admin.update(id, ['locale'], { id: id + 1, locale: 'fr' })).status).toBe(400)
    expect((await admin.update(id, ['locale'], { id: undefined, locale: 'fr' })).status).toBe(400)
  })

  test('that does not exist is answered with 404', async () => {
    expect((await admin.update(999_999, ['locale'], { locale: 'fr' })).status).toBe(404)
  })

  test('to a taken name is a conflict', async () => {
    const [one, two] = [await addUser(), await addUser()]
    expect((await admin.update(one.id, ['username'], { username: two.name })).status).toBe(409)
    expect((await recordOf(one.id)).username).toBe(one.name)
  })

  test('to another scope creates no folder, and applies to the next request', async () => {
    const folder = uniqueName('scope')
    const { id, name, token } = await addUser()
    const who = await person(wire, name, GOOD_PASSWORD)
    expect((await admin.update(id, ['scope'], { scope: `/${folder}` })).status).toBe(200)
    expect(existsSync(join(wire.root, folder))).toBe(false)
    expect((await who.get('/')).status).toBe(404)
    await mkdir(join(wire.root, folder))
    await writeFile(join(wire.root, folder, 'mine.txt'), 'x')
    const listing = await call(wire, '/api/resources/', { token })
    expect(json(listing).items.map((item: { name: string }) => item.name)).toEqual(['mine.txt'])
  })

  test('makes earlier tokens due for renewal', async () => {
    const { id, token } = await addUser()
    await admin.update(id, ['locale'], { locale: 'fr' })
    expect((await call(wire, `/api/users/${id}`, { token })).headers.get('x-renew-token')).toBe('true')
    const renewed = await call(wire, '/api/renew', { method: 'POST', token })
    const claims = JSON.parse(Buffer.from(renewed.text.split('.')[1] ?? '', 'base64url').toString())
    expect(claims.user.locale).toBe('fr')
  })

  test('AUTH-08 applies to permissions at the next request', async () => {
    const { id, token } = await addUser()
    const post = (name: string) => call(wire, `/api/resources/${name}`, { method: 'POST', token, body: 'x' })
    expect((await post(uniqueName('f'))).status).toBe(200)
    await admin.update(id, ['perm'], { perm: perm('download') })
    expect((await post(uniqueName('f'))).status).toBe(403)
  })
})

describe('users may change of their own account', () => {
  test.each([
    ['locale', 'fr'],
    ['viewMode', 'mosaic'],
    ['singleClick', true],
    ['sorting', { by: 'size', asc: true }],
    ['hideDotfiles', true],
    ['dateFormat', true],
    ['redirectAfterCopyMove', true],
    ['aceEditorTheme', 'monokai'],
  ])('%s', async (field, value) => {
    const { id, update } = await addUser()
    expect((await update(id, [field], { [field]: value })).status).toBe(200)
    expect((await recordOf(id))[field]).toEqual(value)
  })

  const FORBIDDEN: [string, unknown][] = [
    ['username', 'boss'],
    ['scope', '/'],
    ['lockPassword', false],
    ['perm', perm('admin', 'create')],
    ['commands', ['sh']],
    ['rules', []],
  ]
  const CASES = FORBIDDEN.flatMap(([field, value]) =>
    [field, field.toUpperCase(), field[0]?.toUpperCase() + field.slice(1)].map(name => [name, field, value] as const),
  )
  test.each(CASES)('AUTH-09 never %s', async (name, field, value) => {
    const { id, update } = await addUser({ scope: '/s' })
    const before = await recordOf(id)
    expect((await update(id, [name], { [field]: value })).status).toBe(403)
    expect((await update(id, ['locale', name], { [field]: value, locale: 'fr' })).status).toBe(403)
    expect(await recordOf(id)).toEqual(before)
  })

  test.each([[[]], [['all']], [['ALL']], [null], [undefined]])('AUTH-09 never everything at once: %j', async which => {
    const { id, name, update } = await addUser()
    const before = await recordOf(id)
    const data = newUser(name, { id, perm: perm('admin'), password: OTHER_PASSWORD })
    expect((await update(id, which, data)).status).toBe(403)
    expect(await recordOf(id)).toEqual(before)
    expect((await login(wire, name, OTHER_PASSWORD)).status).toBe(403)
  })

  test('no field of another user', async () => {
    const [one, two] = [await addUser(), await addUser()]
    expect((await one.update(two.id, ['locale'], { locale: 'fr' })).status).toBe(403)
    expect((await one.remove(two.id)).status).toBe(403)
    expect((await recordOf(two.id)).locale).toBe('en')
  })

  test('a password sent along with other fields is ignored', async () => {
    const { id, name, update } = await addUser()
    expect((await update(id, ['locale'], { locale: 'fr', password: OTHER_PASSWORD })).status).toBe(200)
    expect((await login(wire, name, GOOD_PASSWORD)).status).toBe(200)
  })
})

describe('a new password', () => {
  test('AUTH-06 ends the other sessions of its owner and keeps the current one', async () => {
    const { id, name, token, update } = await addUser()
    const other = await signIn(wire, name, GOOD_PASSWORD)
    expect((await update(id, ['password'], { password: OTHER_PASSWORD })).status).toBe(200)
    expect((await call(wire, `/api/users/${id}`, { token })).status).toBe(200)
    expect((await call(wire, `/api/users/${id}`, { token: other })).status).toBe(401)
    expect((await call(wire, '/api/renew', { method: 'POST', token: other })).status).toBe(401)
    expect((await login(wire, name, GOOD_PASSWORD)).status).toBe(403)
    expect((await login(wire, name, OTHER_PASSWORD)).status).toBe(200)
  })

  test('AUTH-06 from an administrator ends every session of the user', async () => {
    const { id, token } = await addUser()
    expect((await admin.update(id, ['password'], { password: OTHER_PASSWORD })).status).toBe(200)
    expect((await call(wire, `/api/users/${id}`, { token })).status).toBe(401)
    expect((await admin.list()).status).toBe(200)
  })

  test.each(['', 'short', 'password1234'])('%j is refused and the old one stays', async password => {
    const { id, name, update } = await addUser()
    expect((await update(id, ['password'], { password })).status).toBe(400)
    expect((await login(wire, name, GOOD_PASSWORD)).status).toBe(200)
  })

  test('is refused to users for whom it is locked, and accepted from an administrator', async () => {
    const { id, name, update } = await addUser({ lockPassword: true })
    for (const which of [['password'], ['Password'], ['PASSWORD'], ['locale', 'password']]) {
      expect((await update(id, which, { password: OTHER_PASSWORD })).status).toBe(403)
    }
    expect((await login(wire, name, GOOD_PASSWORD)).status).toBe(200)
    expect((await admin.update(id, ['password'], { password: OTHER_PASSWORD })).status).toBe(200)
  })

  test('with a wrong current one is refused, with the right one accepted', async () => {
    const { id, name, update } = await addUser()
    for (const wrong of ['', 'wrong', OTHER_PASSWORD]) {
      const answer = await update(id, ['password'], { password: OTHER_PASSWORD }, { current_password: wrong })
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('the current password is incorrect')
    }
    expect((await login(wire, name, GOOD_PASSWORD)).status).toBe(200)
    const right = { current_password: GOOD_PASSWORD }
    expect((await update(id, ['password'], { password: OTHER_PASSWORD }, right)).status).toBe(200)
  })
})
