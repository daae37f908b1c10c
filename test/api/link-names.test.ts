import { describe, expect, test } from 'vitest'
import { manager } from './accounts.ts'
import { type Answer, call, json } from './client.ts'
import { uniqueName } from './harness.ts'
import { openInstance } from './instance.ts'
import { linkTo, load, share, viewShare, withPassword } from './links-client.ts'
import { newSharer } from './sharers.ts'

const server = await openInstance()
const admin = await manager(server)
const [ann, bob] = [await newSharer(server, admin), await newSharer(server, admin)]
const PASSWORD = 'copper anvil'
const newName = () =>
  uniqueName('trip')
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]/g, '-')
const named = (slug: string, token = ann.token) => linkTo(server, token, '/docs/', { slug, password: PASSWORD })
const change = (hash: string, body: object, token = ann.token) =>
  call(server, `/api/links/${hash}`, { method: 'PATCH', token, body: JSON.stringify(body) })
const open = (name: string, password = PASSWORD) => viewShare(server, `~${name}`, '', '', withPassword(password))
/** What a client learns from an answer. */
const seen = ({ status, text, headers }: Answer) => ({
  ...{ status, text, code: headers.get('x-error-code') },
  names: [...headers.keys()].filter(name => name !== 'content-length').toSorted(),
})

describe('PUB-05 a link with a name of its own', () => {
  test('opens by it, in any case, and by its hash, for each call', async () => {
    const slug = newName()
    const { hash, ...link } = await named(slug.toUpperCase())
    expect(link).toMatchObject({ slug })
    const { token } = json(await open(slug.toUpperCase()))
    expect((await load(server, `~${slug}`, '/one.txt', `?token=${token}`)).text).toBe('docs/one.txt')
    expect((await load(server, hash, '/one.txt', `?token=${token}`)).text).toBe('docs/one.txt')
  })

  test('looks like a name that no link has until the password is right', async () => {
    const [slug, unknown] = [newName(), newName()]
    await named(slug)
    for (const password of ['', 'wrong']) {
      expect(seen(await open(slug, password))).toEqual(seen(await open(unknown, password)))
    }
    for (const rest of ['/one.txt', '/missing', '/..%2fa.txt']) {
      const [taken, free] = [`~${slug}${rest}`, `~${unknown}${rest}`].map(path =>
        call(server, `/api/public/dl/${path}`),
      )
      expect(seen(await (taken as Promise<Answer>))).toEqual(seen(await (free as Promise<Answer>)))
    }
  })

  test('slows down guesses at its password and at names that no link has, alike', async () => {
    const [slug, unknown] = [newName(), newName()]
    await named(slug)
    const tries = async (name: string) => {
      const statuses: number[] = []
      for (let count = 0; count < 12; count++) statuses.push((await open(name, 'wrong')).status)
      return statuses
    }
    const [taken, free] = await Promise.all([tries(slug), tries(unknown)])
    expect(taken).toEqual(free)
    expect(taken.at(-1)).toBe(429)
  })

  test('cannot be taken over, and is free once it is given up or its link has ended', async () => {
    const slug = newName()
    const { hash } = await named(slug)
    const other = await linkTo(server, bob.token, '/docs/', { password: PASSWORD })
    expect((await share(server, bob.token, '/docs/', { slug, password: PASSWORD })).status).toBe(409)
    expect((await change(other.hash, { slug: slug.toUpperCase() }, bob.token)).status).toBe(409)
    expect((await change(hash, { slug }, bob.token)).status).toBe(403)
    expect((await change(hash, { slug, label: 'mine' })).status).toBe(200)
    expect((await change(hash, { slug: null })).status).toBe(200)
    expect((await change(other.hash, { slug }, bob.token)).status).toBe(200)
    expect(json(await open(slug)).name).toBe('docs')
    await call(server, `/api/share/${other.hash}`, { method: 'DELETE', token: bob.token })
    expect((await open(slug)).status).toBe(401)
    expect((await change(hash, { slug })).status).toBe(200)
  })

  test('one of several links that want it at once gets it', async () => {
    const slug = newName()
    const made = await Promise.all(
      Array.from({ length: 5 }, () => share(server, ann.token, '/docs/', { slug, password: PASSWORD })),
    )
    expect(made.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const links = await Promise.all(
      Array.from({ length: 5 }, () => linkTo(server, ann.token, '/docs/', { password: PASSWORD })),
    )
    const wanted = newName()
    const changed = await Promise.all(links.map(({ hash }) => change(hash, { slug: wanted })))
    expect(changed.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  })

  test('has a password for as long as it has its name', async () => {
    const slug = newName()
    expect((await share(server, ann.token, '/docs/', { slug })).text).toContain('slug: needs a password')
    const { hash } = await named(slug)
    expect((await change(hash, { password: null })).status).toBe(400)
    expect((await open(slug)).status).toBe(200)
    expect((await change(hash, { password: null, slug: null })).status).toBe(200)
    expect((await change(hash, { slug })).status).toBe(400)
    expect((await change(hash, { slug, password: PASSWORD })).status).toBe(200)
    expect((await open(slug)).status).toBe(200)
  })

  test.each(['ab', 'a'.repeat(65), 'Ünder', 'a b', 'a/b', '../x', '~abc', 'a%20b', 'ＡＢＣ'])(
    'is not called %j',
    async slug => {
      expect((await share(server, ann.token, '/docs/', { slug, password: PASSWORD })).status).toBe(400)
    },
  )
})
