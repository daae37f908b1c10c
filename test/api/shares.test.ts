import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Permission } from '../../shared/permissions.ts'
import { manager, newcomer, perm } from './accounts.ts'
import { call, encode, json, signIn } from './client.ts'
import { uniqueName } from './harness.ts'
import { corner, openInstance } from './instance.ts'
import { type Link, linkTo, load, share, viewShare, withPassword } from './links-client.ts'
import { enrol, PASSWORD } from './people.ts'

/** Insufficient permissions. */
const LESS: readonly Permission[][] = [['download'], ['admin', 'create', 'delete', 'rename', 'modify', 'download']]
const server = await openInstance()
await enrol(
  server,
  LESS.map(may => ({ name: may.join('-'), may })),
)
const admin = await manager(server)
const { path: folder, disk } = await corner(server)
const now = () => Date.now() / 1000

const list = async (token: string): Promise<Link[]> => json(await call(server, '/api/shares', { token }))
const linksOf = async (token: string, path: string): Promise<Link[]> =>
  json(await call(server, `/api/share${encode(path)}`, { token }))
const remove = (token: string, hash: string) => call(server, `/api/share/${hash}`, { method: 'DELETE', token })

/** A user with a home of their own and the permission to share. */
async function sharer(fields: Record<string, unknown> = {}) {
  const scope = `/${uniqueName('home')}`
  const home = join(server.root, scope)
  await mkdir(join(home, 'docs/sub'), { recursive: true })
  await writeFile(join(home, 'a.txt'), 'alpha')
  await writeFile(join(home, 'docs/one.txt'), 'one')
  const rights = perm('create', 'delete', 'rename', 'modify', 'share', 'download')
  return { ...(await newcomer(server, admin, { scope, perm: rights, ...fields })), scope, home }
}

beforeAll(async () => {
  await mkdir(join(disk, 'docs'))
  await writeFile(join(disk, 'a.txt'), 'alpha')
})

test('a list with details has when each link was made', async () => {
  const ann = await sharer()
  const begin = Date.now()
  const { hash } = json(await share(server, ann.token, '/a.txt'))
  const list = async (query: string) => json(await call(server, `/api/shares${query}`, { token: ann.token }))
  const [link] = await list('?details=true')
  expect(link).toMatchObject({ hash, created: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) })
  expect(Date.parse(link.created)).toBeGreaterThanOrEqual(Math.floor(begin / 1000) * 1000)
  expect(Object.keys((await list(''))[0])).not.toContain('created')
})

describe('making a link', () => {
  test('returns the new link, and no secret', async () => {
    const ann = await sharer()
    const answer = await share(server, ann.token, '/docs/', { password: 'secret', expires: '2', unit: 'days' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const link = json(answer)
    expect(link).toEqual({
      hash: expect.stringMatching(/^[\w-]{22,}$/),
      path: '/docs/',
      userID: ann.id,
      expire: expect.any(Number),
      hasPassword: true,
    })
    expect(Math.abs(link.expire - now() - 2 * 86_400)).toBeLessThan(60)
  })

  test.each([
    ['an empty object', '{}'],
    ['no body', ''],
    ['nulls', '{"password":null,"expires":null,"unit":null}'],
    ['empty texts', '{"password":"","expires":"","unit":""}'],
    ['zero', '{"expires":"0","unit":"hours"}'],
    ['unknown fields', '{"colour":"red"}'],
  ])('with %s creates one without expiry and password', async (_what, body) => {
    const answer = await share(server, admin.token, `${folder}/a.txt`, body)
    expect(answer.status).toBe(200)
    expect(json(answer)).toMatchObject({ path: `${folder}/a.txt`, expire: 0, hasPassword: false })
  })

  test.each([
    [{ expires: '90', unit: 'seconds' }, 90],
    [{ expires: '5', unit: 'minutes' }, 300],
    [{ expires: '3', unit: 'hours' }, 10_800],
    [{ expires: '3' }, 10_800],
    [{ expires: '3', unit: '' }, 10_800],
    [{ expires: '3', unit: 'lightyears' }, 10_800],
    [{ expires: 7, unit: 'days' }, 604_800],
    [{ expires: '2147483647', unit: 'days' }, 185_542_587_100_800],
  ])('with %j sets an expiry after %d seconds', async (body, seconds) => {
    const { expire } = await linkTo(server, admin.token, `${folder}/a.txt`, body)
    expect(Math.abs(expire - now() - seconds)).toBeLessThan(60)
  })

  test('reads the expiry from the URL if the body has none', async () => {
    for (const body of ['', '{}', '{"password":"x"}']) {
      const answer = await share(server, admin.token, `${folder}/a.txt`, body, '?expires=10&unit=minutes')
      expect(Math.abs(json(answer).expire - now() - 600)).toBeLessThan(60)
    }
    const both = await share(server, admin.token, `${folder}/a.txt`, { expires: '1' }, '?expires=10&unit=minutes')
    expect(json(both).expire).toBeGreaterThan(now())
  })

  test.each(['-1', '1.5', '1e3', ' 5', '2147483648', '1'.repeat(31), 'soon', -1, 1.5, 1e30])(
    'SHR-08 that expires after %j is refused, and no link exists',
    async expires => {
      const ann = await sharer()
      const answer = await share(server, ann.token, '/a.txt', { expires, unit: 'seconds' })
      expect(answer.status).toBe(400)
      expect(answer.text).toContain('expires')
      expect(await list(ann.token)).toEqual([])
    },
  )

  test.each(['{', '[]', '"x"', '{"password":1}', '{"unit":[]}', '{"expires":{}}', '{"expires":true}'])(
    'with the body %s is refused',
    async body => {
      expect((await share(server, admin.token, `${folder}/a.txt`, body)).status).toBe(400)
    },
  )

  test('SHR-12 accepts a password of 1024 bytes and no more', async () => {
    const ann = await sharer()
    const longest = 'ü'.repeat(512)
    const { hash } = await linkTo(server, ann.token, '/a.txt', { password: longest })
    expect((await load(server, hash, '', '', withPassword(longest))).text).toBe('alpha')
    const refused = await share(server, ann.token, '/a.txt', { password: `${longest}x` })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('password')
    expect(await list(ann.token)).toHaveLength(1)
  })

  test.each(LESS.map(may => [may.join('-')]))('and managing links need more permissions than %s', async name => {
    const token = await signIn(server, name, PASSWORD)
    const { hash } = await linkTo(server, admin.token, `${folder}/a.txt`)
    const answers = [
      await share(server, token, `${folder}/a.txt`),
      await call(server, '/api/shares', { token }),
      await call(server, `/api/share${folder}/a.txt`, { token }),
      await remove(token, hash),
    ]
    expect(answers.map(answer => answer.status)).toEqual([403, 403, 403, 403])
    expect((await load(server, hash)).status).toBe(200)
  })

  test('needs an existing entry', async () => {
    const ann = await sharer()
    expect((await share(server, ann.token, '/missing')).status).toBe(404)
    expect((await share(server, ann.token, '/a.txt/below')).status).toBe(404)
    expect(await list(ann.token)).toEqual([])
  })

  test('for a path out of the scope, or denied by a rule, is refused', async () => {
    const ann = await sharer({ rules: [{ allow: false, regex: false, path: '/docs/sub', regexp: null }] })
    await symlink(disk, join(ann.home, 'out'))
    await symlink('nowhere', join(ann.home, 'dangling'))
    for (const path of ['/out', '/out/a.txt', '/dangling', '/docs/sub', '/docs/sub/none']) {
      expect((await share(server, ann.token, path)).status).toBe(403)
    }
    expect((await call(server, '/api/share/docs//x', { method: 'POST', token: ann.token })).status).toBe(400)
    expect(await list(ann.token)).toEqual([])
  })

  test('again creates another link', async () => {
    const ann = await sharer()
    const links = [await linkTo(server, ann.token, '/a.txt'), await linkTo(server, ann.token, '/a.txt')]
    expect(links[0]?.hash).not.toBe(links[1]?.hash)
    expect(await linksOf(ann.token, '/a.txt')).toHaveLength(2)
  })

  test('needs an account', async () => {
    for (const [method, path] of [
      ['GET', '/api/shares'],
      ['GET', '/api/share/a.txt'],
      ['POST', '/api/share/a.txt'],
      ['DELETE', '/api/share/abc'],
    ]) {
      expect((await call(server, path ?? '', { method: method ?? '' })).status).toBe(401)
    }
  })
})

describe('the list of links', () => {
  test('contains the user’s own, permanent ones first, then by expiry', async () => {
    const ann = await sharer()
    await sharer().then(bob => linkTo(server, bob.token, '/a.txt'))
    expect(await list(ann.token)).toEqual([])
    const later = await linkTo(server, ann.token, '/a.txt', { expires: '2' })
    const sooner = await linkTo(server, ann.token, '/docs', { expires: '1' })
    const lasting = await linkTo(server, ann.token, '/docs/one.txt')
    expect(await list(ann.token)).toEqual([lasting, sooner, later])
  })

  test('is whole and in its order when it is long', async () => {
    const ann = await sharer()
    const made: string[] = []
    for (let count = 0; count < 260; count += 1) made.push((await linkTo(server, ann.token, '/a.txt')).hash)
    const answer = await call(server, '/api/shares', { token: ann.token })
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(json(answer).map(({ hash }: Link) => hash)).toEqual(made)
  })

  test('contains those of all users for administrators, with names', async () => {
    const ann = await sharer()
    const link = await linkTo(server, ann.token, '/a.txt')
    const all = await list(admin.token)
    expect(all).toContainEqual({ ...link, username: ann.name })
    expect(all.map(({ userID }) => userID)).toEqual(all.map(({ userID }) => userID).sort((a, b) => a - b))
    expect(JSON.stringify(await list(ann.token))).not.toContain(ann.name)
  })

  test('of a path ignores a trailing slash', async () => {
    const ann = await sharer()
    const link = await linkTo(server, ann.token, '/docs/')
    const other = await linkTo(server, ann.token, '/docs')
    for (const path of ['/docs', '/docs/']) {
      const hashes = (await linksOf(ann.token, path)).map(({ hash }) => hash)
      expect(hashes.sort()).toEqual([link.hash, other.hash].sort())
    }
    expect(await linksOf(ann.token, '/docs/one.txt')).toEqual([])
    expect(await linksOf(ann.token, '/missing')).toEqual([])
  })

  test('of a path contains others’ links to the same path for administrators only', async () => {
    const ann = await sharer()
    const bob = await newcomer(server, admin, { scope: ann.scope, perm: perm('share', 'download') })
    const link = await linkTo(server, ann.token, '/docs/')
    expect(await linksOf(bob.token, '/docs')).toEqual([])
    expect(await linksOf(admin.token, `${ann.scope}/docs`)).toEqual([{ ...link, username: ann.name }])
  })

  test('leaves out expired links', async () => {
    const ann = await sharer()
    const { hash } = await linkTo(server, ann.token, '/a.txt', { expires: '3', unit: 'seconds' })
    expect((await viewShare(server, hash)).status).toBe(200)
    await expect.poll(async () => (await viewShare(server, hash)).status).toBe(404)
    expect((await load(server, hash)).status).toBe(404)
    expect(await list(ann.token)).toEqual([])
    expect((await remove(ann.token, hash)).status).toBe(404)
  })
})

describe('deleting a link', () => {
  test('takes effect at once', async () => {
    const ann = await sharer()
    const { hash } = await linkTo(server, ann.token, '/docs')
    const answer = await remove(ann.token, hash)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('200 OK\n')
    expect((await viewShare(server, hash)).status).toBe(404)
    expect((await load(server, hash, '/one.txt')).status).toBe(404)
    expect((await remove(ann.token, hash)).status).toBe(404)
  })

  test('is for its owner and for administrators', async () => {
    const [ann, bob] = [await sharer(), await sharer()]
    const { hash } = await linkTo(server, ann.token, '/a.txt')
    expect((await remove(bob.token, hash)).status).toBe(403)
    expect((await load(server, hash)).text).toBe('alpha')
    expect((await remove(admin.token, hash)).status).toBe(200)
    expect((await load(server, hash)).status).toBe(404)
  })

  test('accepts a trailing slash, and requires a name', async () => {
    const { hash } = await linkTo(server, admin.token, `${folder}/a.txt`)
    expect((await remove(admin.token, `${hash}/`)).status).toBe(200)
    expect((await remove(admin.token, '')).status).toBe(400)
    expect((await remove(admin.token, 'no/such/link')).status).toBe(404)
  })
})
