import { describe, expect, test } from 'vitest'
import { removeUser } from '../../server/features/users/accounts.ts'
import { replaceUser } from '../../server/features/users/users.store.ts'
import type { User } from '../../shared/api/users.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { callsOf, openWorld } from './world.ts'

const world = await openWorld()
const PASSWORD = 'copper anvil drifts'
const rule = { regex: false, allow: false, path: '/docs', regexp: null }

/** Every call that a share link permits, and its target in a shared folder. */
const calls = callsOf(world.routes)
  .filter(({ route }) => route.access === 'public' && route.path.startsWith('/api/public/'))
  // Refused by every link to view: see PUB-01.
  .filter(({ route }) => !/^\/api\/public\/(?:tus|resources)\//.test(route.path))
  .flatMap(({ method, route, name }) =>
    ['', '/one.txt', '/?algo=tar', '/?files=one.txt'].map(rest => ({
      method,
      name,
      rest,
      prefix: route.path.slice(0, -1),
    })),
  )

interface Link {
  owner: User
  token: string
  hash: string
  /** Enters the link's password, for downloads. */
  ticket: string
}

async function makeLink(): Promise<Link> {
  const owner = await world.enrol({ perm: { ...ALL_PERMISSIONS, admin: false } })
  const token = await world.context.sessions.start(owner)
  const made = await world.ask({
    method: 'POST',
    target: '/api/share/docs',
    token,
    body: JSON.stringify({ password: PASSWORD }),
  })
  const { hash } = JSON.parse(made.text)
  const opened = await world.ask({
    method: 'GET',
    target: `/api/public/share/${hash}`,
    headers: { 'X-SHARE-PASSWORD': encodeURIComponent(PASSWORD) },
  })
  return { owner, token, hash, ticket: JSON.parse(opened.text).token }
}

/** Calls everything, with or without a ticket. @returns each status once */
async function statuses(hash: string, ticket = '', headers: Record<string, string> = {}): Promise<number[]> {
  const found = new Set<number>()
  for (const { method, prefix, rest } of calls) {
    const query = ticket === '' ? '' : `${rest.includes('?') ? '&' : '?'}token=${encodeURIComponent(ticket)}`
    found.add((await world.ask({ method, target: `${prefix}${hash}${rest}${query}`, headers })).status)
  }
  return [...found]
}

const change = async (owner: User, fields: object) => {
  const stored = await world.context.db.selectFrom('users').select('password_hash').executeTakeFirstOrThrow()
  await replaceUser(world.context.db, owner.id, { ...owner, passwordHash: stored.password_hash, ...fields })
}

describe('MX-04 a link with a password', () => {
  test('opens to its ticket; there are no previews, pages or subtitles in folders and texts, and no archives', async () => {
    const { hash, ticket } = await makeLink()
    expect((await statuses(hash, ticket)).sort()).toEqual([200, 400, 409, 415, 422, 501])
  })

  test('discloses nothing without the password, not even whether it exists', async () => {
    const { hash } = await makeLink()
    expect(await statuses(hash)).toEqual([401])
    const [there, missing] = [`${hash}/one.txt`, `${hash}/nothing`]
    const [one, two] = await Promise.all(
      [there, missing].map(path => world.ask({ method: 'GET', target: `/api/public/share/${path}` })),
    )
    expect(two?.text).toBe(one?.text)
  })

  test('SHR-07 accepts no ticket but its own', async () => {
    const [link, other] = [await makeLink(), await makeLink()]
    const [head = '', body = '', signature = ''] = link.ticket.split('.')
    const flipped = `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
    for (const ticket of [other.ticket, link.token, flipped, `${head}.${body}.`, 'undefined', 'null', 'a.b.c']) {
      expect(await statuses(link.hash, ticket)).toEqual([401])
    }
  })

  test('SHR-05 is not opened by a wrong or an empty password', async () => {
    const { hash } = await makeLink()
    for (const password of ['wrong', '', '%', ' ']) {
      const target = `/api/public/share/${hash}`
      const { status } = await world.ask({ method: 'GET', target, headers: { 'X-SHARE-PASSWORD': password } })
      expect(status).toBe(401)
    }
  })

  test.each<[string, (link: Link) => Promise<unknown>]>([
    ['was taken back', ({ hash, token }) => world.ask({ method: 'DELETE', target: `/api/share/${hash}`, token })],
    [
      'has ended',
      ({ hash }) => world.context.db.updateTable('shares').set({ expire: 1 }).where('hash', '=', hash).execute(),
    ],
    [
      'is used up',
      ({ hash }) =>
        world.context.db
          .updateTable('shares')
          .set({ max_downloads: 1, downloads: 1 })
          .where('hash', '=', hash)
          .execute(),
    ],
    [
      'is paused',
      ({ hash }) => world.context.db.updateTable('shares').set({ paused_at: 1 }).where('hash', '=', hash).execute(),
    ],
    ['lost its owner', ({ owner }) => removeUser(world.context, owner.id)],
    ['belongs to who may not share', ({ owner }) => change(owner, { perm: { ...owner.perm, share: false } })],
    ['belongs to who may not read', ({ owner }) => change(owner, { perm: { ...owner.perm, download: false } })],
    ['belongs to who has moved', ({ owner }) => change(owner, { scope: '/docs-2' })],
    ['leads to what is denied by now', ({ owner }) => change(owner, { rules: [rule] })],
  ])('SHR-02 that %s opens nothing, even with a ticket', async (_what, act) => {
    const link = await makeLink()
    await act(link)
    for (const status of await statuses(link.hash, link.ticket)) expect([401, 403, 404]).toContain(status)
  })

  test('PUB-05 opens by its name to what opens it by its hash, and a name that no link has looks the same', async () => {
    const { hash, ticket } = await makeLink()
    await world.context.db.updateTable('shares').set({ slug: 'trip' }).where('hash', '=', hash).execute()
    expect((await statuses('~trip', ticket)).sort()).toEqual((await statuses(hash, ticket)).sort())
    for (const name of ['~trip', '~nobody']) expect(await statuses(name)).toEqual([401])
    expect(await statuses('~nobody', ticket)).toEqual([401])
  })

  test('gives no access to anything next to the shared path', async () => {
    const { hash, ticket } = await makeLink()
    const paths = ['/../a.txt', '/%2e%2e/a.txt', '/..%2fa.txt', '-2/x.txt', '/../docs-2/x.txt', '/%252e%252e/a.txt']
    for (const { method, prefix } of calls) {
      for (const path of paths) {
        const target = `${prefix}${hash}${path}?token=${ticket}`
        expect((await world.ask({ method, target })).status, target).toBeGreaterThanOrEqual(400)
      }
      for (const files of ['../a.txt', '..%252Fa.txt', '%252e%252e%252fa.txt', '../docs-2/x.txt', '/a.txt']) {
        const target = `${prefix}${hash}?token=${ticket}&algo=tar&files=${files}`
        expect((await world.ask({ method, target })).text, target).not.toContain('CONTENT-5d1e')
      }
    }
  })

  test('cannot be written to by any method', async () => {
    const { hash, ticket } = await makeLink()
    const before = await world.manifest()
    for (const { prefix, rest } of calls) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const target = `${prefix}${hash}${rest.replace(/\?.*/, '')}?token=${ticket}`
        const { status } = await world.ask({ method, target, body: 'x' })
        expect(status).toBe(405)
      }
    }
    expect(await world.manifest()).toEqual(before)
  })
})

test('MX-05 SHR-10 no response about a link contained a hash, a path of the host or a denied name', () => {
  expect(world.seen.answers).toBeGreaterThan(100)
  expect(world.seen.leaks).toEqual([])
})
