import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { EFFECTS } from '../../shared/permissions.ts'
import { manager, newcomer, perm, send } from './accounts.ts'
import { call, encode, json } from './client.ts'
import { corner, openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await manager(wire)

const FORBIDDEN = { regex: false, allow: false, path: '/secret', regexp: null }
const { path: scope, disk } = await corner(wire)
await mkdir(join(disk, 'secret'))
await writeFile(join(disk, 'secret/b.txt'), 'beta')
await writeFile(join(disk, 'a.txt'), 'alpha')
await writeFile(join(disk, '.dot'), 'dot')
await writeFile(join(disk, 'shared.txt'), 'gamma')
await symlink('/etc', join(disk, 'out'))
await symlink('secret/b.txt', join(disk, 'way'))
const ann = await newcomer(wire, admin, {
  scope,
  perm: perm('download', 'create'),
  rules: [FORBIDDEN],
  hideDotfiles: true,
})

const ask = (token: string, path: string, action: string, user = '') =>
  call(wire, `/api/why?path=${encodeURIComponent(path)}&action=${action}${user && `&user=${user}`}`, { token })
/** The last step of a decision about Ann, as an administrator sees it. */
const end = async (path: string, action: string) => json(await ask(admin.token, path, action, ann.name)).steps.at(-1)

const place = await corner(wire)
const { disk: outside } = await corner(wire)
await writeFile(join(outside, 'there'), 'outside')
await mkdir(join(place.disk, 'secret'))
await writeFile(join(place.disk, 'secret/there'), 'secret')
const links = {
  toDenied: 'secret/there',
  toNoDenied: 'secret/missing',
  toOutside: join(outside, 'there'),
  toNoOutside: join(outside, 'missing'),
  toFolder: 'secret',
  toNoFolder: 'secret/nothing',
  toOutsideFolder: outside,
}
for (const [name, target] of Object.entries(links)) await symlink(target, join(place.disk, name))
const eve = await newcomer(wire, admin, {
  scope: place.path,
  perm: perm('download', 'create', 'rename', 'modify', 'delete', 'share'),
  rules: [FORBIDDEN],
})
const reasonFor = async (path: string, action: string) => (await ask(eve.token, path, action)).text

describe('the reason for a refusal', () => {
  test('names the missing permissions', async () => {
    expect(await end('/a.txt', 'remove')).toEqual({ check: 'permission', ok: false, missing: ['delete'] })
    expect(await end('/a.txt', 'share')).toEqual({ check: 'permission', ok: false, missing: ['share'] })
  })

  test('names the rule, whether or not such a file exists', async () => {
    const rule = { check: 'rule', ok: false, by: 'own', rule: FORBIDDEN }
    expect(await end('/secret/b.txt', 'read')).toEqual(rule)
    expect(await end('/secret/nothing', 'read')).toEqual(rule)
    expect(await end('/.dot', 'read')).toEqual({ check: 'rule', ok: false, by: 'hidden' })
  })

  test('explains links that lead out, and those to a denied path', async () => {
    expect(await end('/out', 'list')).toEqual({ check: 'link', ok: false, code: 'outside_scope' })
    expect(await end('/way', 'read')).toMatchObject({ check: 'link', ok: false, leads: '/secret/b.txt', by: 'own' })
  })

  test('goes through every step when nothing is refused', async () => {
    const answer = json(await ask(admin.token, '/a.txt', 'read', ann.name))
    expect(answer).toMatchObject({ allowed: true, username: ann.name, place: `${scope}/a.txt` })
    expect(answer.steps).toEqual([
      { check: 'permission', ok: true },
      { check: 'rule', ok: true, by: 'none' },
      { check: 'file', ok: true },
      { check: 'mode', ok: true },
    ])
    expect(await end('/nothing.txt', 'read')).toEqual({ check: 'file', ok: false, code: 'not_found' })
    expect(await end('/nothing.txt', 'create')).toEqual({ check: 'mode', ok: true })
  })

  test('agrees with the operations', async () => {
    for (const path of ['/a.txt', '/secret/b.txt', '/.dot', '/way', '/out/passwd', '/nothing']) {
      const { allowed } = json(await ask(ann.token, path, 'read'))
      expect([path, (await call(wire, `/api/raw${encode(path)}`, { token: ann.token })).status === 200]).toEqual([
        path,
        allowed,
      ])
    }
    for (const path of ['/new.txt', '/secret/new.txt', '/.new']) {
      const { allowed } = json(await ask(ann.token, path, 'create'))
      const done = await send(wire, 'POST', `/api/resources${path}`, ann.token, 'x')
      expect([path, done.status === 200]).toEqual([path, allowed])
    }
  })
})

describe('the reason for a path outside the scope', () => {
  test.each(EFFECTS)('RULE-04 that is denied is the same whether or not it exists, for %s', async action => {
    const answer = await reasonFor('/secret/there', action)
    expect(answer).toBe(await reasonFor('/secret/missing', action))
    expect(JSON.parse(answer)).toMatchObject({ allowed: false, steps: [{ ok: true }, { check: 'rule', ok: false }] })
  })

  test.each(EFFECTS)('RULE-04 that a link leads to is the same wherever it leads, for %s', async action => {
    const answers = ['toDenied', 'toNoDenied', 'toOutside', 'toNoOutside'].map(name => reasonFor(`/${name}`, action))
    expect(new Set(await Promise.all(answers)).size).toBe(1)
    expect(await answers[0]).not.toMatch(/secret|there|missing/)
  })

  test.each(EFFECTS)('RULE-04 that is behind such a link is the same, for %s', async action => {
    const paths = [
      '/toFolder/there',
      '/toFolder/missing',
      '/toNoFolder/x',
      '/toOutsideFolder/there',
      '/toOutsideFolder/x',
    ]
    const answers = await Promise.all(paths.map(path => reasonFor(path, action)))
    expect(new Set(answers).size).toBe(1)
    expect(JSON.parse(answers[0] ?? '').steps.at(-1)).toEqual({ check: 'link', ok: false, code: 'outside_scope' })
  })
})

test.each(['/api/resources', '/api/raw'])('RULE-04 %s has the same response wherever a link leads out', async route => {
  const links = ['toDenied', 'toNoDenied', 'toOutside', 'toNoOutside', 'toFolder/there', 'toNoFolder/x']
  const answers = links.map(async name => {
    const { status, text, headers } = await call(wire, `${route}/${name}`, { token: eve.token })
    return `${status} ${headers.get('X-Error-Code')} ${text}`
  })
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['403 outside_scope 403 Forbidden\n']))
})

describe('the reason is available', () => {
  test('to every user about themselves, without expressions of rules and paths on the disk', async () => {
    const answer = json(await ask(ann.token, '/secret/b.txt', 'read'))
    expect(answer).toEqual({
      allowed: false,
      username: ann.name,
      steps: [
        { check: 'permission', ok: true },
        { check: 'rule', ok: false, by: 'own' },
      ],
    })
  })

  test('to administrators only about other users, existing or not', async () => {
    expect((await ask(ann.token, '/', 'list', 'admin')).status).toBe(403)
    expect((await ask(ann.token, '/', 'list', 'nobody-at-all')).status).toBe(403)
    expect((await ask(admin.token, '/', 'list', 'nobody-at-all')).status).toBe(404)
    expect((await call(wire, '/api/why?path=/&action=list')).status).toBe(401)
  })

  test('to its owner and administrators only about a share link, whether or not it exists', async () => {
    const made = await send(wire, 'POST', `/api/share${scope}/shared.txt`, admin.token, {})
    const { hash } = json(made)
    const about = (token: string, name: string) => call(wire, `/api/why?link=${name}`, { token })
    const answer = json(await about(admin.token, hash))
    expect(answer).toMatchObject({ allowed: true, place: `${scope}/shared.txt` })
    expect(answer.steps.at(-1)).toEqual({ check: 'share', ok: true })
    expect((await about(ann.token, hash)).status).toBe(404)
    expect((await about(ann.token, 'nothing')).status).toBe(404)
    await writeFile(join(disk, 'newcomer.txt'), 'another')
    await rename(join(disk, 'newcomer.txt'), join(disk, 'shared.txt'))
    expect(json(await about(admin.token, hash)).steps.at(-1)).toEqual({ check: 'share', ok: false, code: 'not_found' })
  })

  test('for valid actions and paths', async () => {
    expect((await ask(ann.token, '/', 'fly')).status).toBe(400)
    expect((await ask(ann.token, '/../x', 'read')).status).toBe(400)
  })
})
