import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { manager, perm } from './accounts.ts'
import { type Answer, call, encode, json } from './client.ts'
import { HOSTILE_NAMES } from './hostile-names.ts'
import { openInstance } from './instance.ts'
import { type Link, linkTo, load, viewShare, withPassword } from './links-client.ts'
import { rawRequest } from './raw.ts'
import { newSharer } from './sharers.ts'
import { expectNoLeak } from './tree.ts'

const server = await openInstance()
const admin = await manager(server)
const sharer = (fields?: Record<string, unknown>) => newSharer(server, admin, fields)
const ann = await sharer()
const names = (answer: Answer): string[] => json(answer).items.map((item: { name: string }) => item.name)
const statuses = async (...answers: Promise<Answer>[]) => (await Promise.all(answers)).map(answer => answer.status)

describe('a shared folder', () => {
  let link: Link
  beforeAll(async () => {
    link = await linkTo(server, ann.token, '/docs/')
  })

  test('is shown as a root, by name', async () => {
    const answer = await viewShare(server, link.hash)
    expect(answer.status).toBe(200)
    const { items, ...folder } = json(answer)
    expect(folder).toMatchObject({ path: '/', name: 'docs', isDir: true, type: '', numDirs: 2, numFiles: 2 })
    expect(folder.sorting).toEqual({ by: 'name', asc: false })
    expect(folder).not.toHaveProperty('token')
    expect(items.map((item: { path: string }) => item.path)).toEqual(['/deny', '/sub', '/.dot', '/one.txt'])
  })

  test('has the same name on every level', async () => {
    expect(json(await viewShare(server, link.hash, '/sub'))).toMatchObject({ path: '/sub', name: 'docs', isDir: true })
    expect(json(await viewShare(server, link.hash, '/sub/'))).toMatchObject({ path: '/sub/', name: 'docs' })
    expect(json(await viewShare(server, link.hash, '/sub')).items[0]).toMatchObject({ path: '/sub/two.txt' })
  })

  test('returns a file in it without its content', async () => {
    const file = json(await viewShare(server, link.hash, '/sub/two.txt'))
    expect(file).toMatchObject({ path: '/sub/two.txt', name: 'two.txt', type: 'text', size: 16, isDir: false })
    expect(file).not.toHaveProperty('content')
  })

  test('allows downloading its files', async () => {
    const answer = await load(server, link.hash, '/sub/two.txt')
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('docs/sub/two.txt')
    expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=utf-8''two.txt")
    expect(answer.headers.get('content-type')).toBe('application/octet-stream')
    expect(answer.headers.get('content-security-policy')).toMatch(/(^|; )sandbox($|;)/)
    const shown = await load(server, link.hash, '/one.txt', '?inline=true')
    expect(shown.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  })

  test('accepts an encoded trailing slash', async () => {
    expect((await call(server, `/api/public/dl/${link.hash}%2Fone.txt`)).text).toBe('docs/one.txt')
    expect(json(await call(server, `/api/public/share/${link.hash}%2Fsub`)).path).toBe('/sub')
  })

  test('is downloaded whole as an archive, as are selected items', async () => {
    const whole = await load(server, link.hash, '', '?algo=tar')
    expect(whole.status).toBe(200)
    expect(whole.headers.get('content-disposition')).toBe("attachment; filename*=utf-8''docs.tar")
    for (const text of ['one.txt', 'sub/two.txt']) expect(whole.bytes.includes(text)).toBe(true)
    const some = await load(server, link.hash, '/', '?algo=tar&files=sub,one.txt')
    expect(some.headers.get('content-disposition')).toBe("attachment; filename*=utf-8''_docs.tar")
    expect(some.bytes.includes('docs/one.txt')).toBe(true)
    expect(some.bytes.includes('d.txt')).toBe(false)
    const sub = await load(server, link.hash, '/sub', '?algo=zip')
    expect(sub.headers.get('content-disposition')).toBe("attachment; filename*=utf-8''sub.zip")
    expect((await load(server, link.hash, '', '?algo=rar')).status).toBe(400)
  })

  test('supports ranges, conditions and HEAD like any download', async () => {
    const part = await load(server, link.hash, '/one.txt', '', { Range: 'bytes=5-7' })
    expect([part.status, part.text]).toEqual([206, 'one'])
    const etag = part.headers.get('etag') ?? ''
    expect((await load(server, link.hash, '/one.txt', '', { 'If-None-Match': etag })).status).toBe(304)
    expect((await load(server, link.hash, '/one.txt', '', { 'If-Match': '"x"' })).status).toBe(412)
    const bare = await call(server, `/api/public/dl/${link.hash}/one.txt`, { method: 'HEAD' })
    expect([bare.status, bare.bytes.length, bare.headers.get('content-length')]).toEqual([200, 0, '12'])
  })

  test('responds 404 for missing files', async () => {
    expect(await statuses(viewShare(server, link.hash, '/no'), load(server, link.hash, '/no'))).toEqual([404, 404])
    expect(await statuses(viewShare(server, link.hash, '/one.txt/x'), load(server, link.hash, '/one.txt/x'))).toEqual([
      404, 404,
    ])
  })

  test('gives no access to anything above or next to it', async () => {
    const prefix = `${server.base}/api/public`
    for (const way of [
      '/..',
      '/../a.txt',
      '/%2e%2e/marker.txt',
      '%2f..%2fmarker.txt',
      '/sub/../../marker.txt',
      '/..%2f',
    ]) {
      for (const kind of ['share', 'dl']) {
        const answer = await rawRequest(server, { target: `${prefix}/${kind}/${link.hash}${way}` })
        expect([400, 404]).toContain(answer.status)
        expectNoLeak({ headers: answer.headers, bytes: answer.body })
      }
    }
    for (const name of ['/marker.txt', '-2', '-2/x.txt']) {
      expect(await statuses(viewShare(server, link.hash, name), load(server, link.hash, name))).toEqual([404, 404])
    }
  })

  test('SHR-10 discloses neither its owner nor its path', async () => {
    for (const answer of [await viewShare(server, link.hash), await viewShare(server, link.hash, '/one.txt')]) {
      expectNoLeak(answer, ann.name, ann.scope, 'userID', 'passwordHash', 'argon2', server.root)
    }
    expectNoLeak(await viewShare(server, link.hash, '/no'), ann.name, ann.scope, server.root)
  })

  test('cannot be written to by any method', async () => {
    for (const kind of ['share', 'dl']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const answer = await call(server, `/api/public/${kind}/${link.hash}/new.txt`, { method, body: 'x' })
        expect(answer.status).toBeGreaterThanOrEqual(404)
        expect(answer.status).toBeLessThanOrEqual(405)
      }
    }
    expect(names(await viewShare(server, link.hash))).not.toContain('new.txt')
  })
})

describe('a shared file', () => {
  test('is returned with an empty path, under any name', async () => {
    const { hash } = await linkTo(server, ann.token, '/a.txt')
    const shown = json(await viewShare(server, hash))
    expect(shown).toMatchObject({ path: '', name: 'a.txt', size: 5, type: 'text', isDir: false })
    expect(shown).not.toHaveProperty('content')
    expect(json(await viewShare(server, hash, '/whatever'))).toEqual(shown)
    for (const sub of ['', '/', '/a.txt', '/marker.txt', '/deep/er.bin']) {
      const answer = await load(server, hash, sub)
      expect(answer.text).toBe('a.txt')
      expect(answer.headers.get('content-disposition')).toBe("attachment; filename*=utf-8''a.txt")
    }
  })

  test('reached through a link inside the scope is that file', async () => {
    await symlink('docs/one.txt', join(ann.home, 'pointer'))
    const { hash } = await linkTo(server, ann.token, '/pointer')
    expect((await load(server, hash)).text).toBe('docs/one.txt')
    expect((await load(server, hash, '/a.txt')).text).toBe('docs/one.txt')
  })

  test('of text is only readable when its owner may not change it', async () => {
    const bob = await sharer({ perm: perm('share', 'download') })
    const { hash } = await linkTo(server, bob.token, '/a.txt')
    expect(json(await viewShare(server, hash)).type).toBe('textImmutable')
  })
})

describe('a password', () => {
  let link: Link
  beforeAll(async () => {
    link = await linkTo(server, ann.token, '/docs', { password: 'pä ss+%' })
  })
  const right = withPassword('pä ss+%')

  test('protects everything until it is given', async () => {
    for (const sub of ['', '/sub', '/one.txt', '/missing', '/deny']) {
      for (const answer of [await viewShare(server, link.hash, sub), await load(server, link.hash, sub)]) {
        expect(answer.status).toBe(401)
        expect(answer.text).toBe('401 Unauthorized\n')
        expectNoLeak(answer, 'one.txt', 'docs')
      }
    }
  })

  test('opens the link, with a plus for a space', async () => {
    expect(names(await viewShare(server, link.hash, '', '', right))).toContain('one.txt')
    expect((await load(server, link.hash, '/one.txt', '', right)).text).toBe('docs/one.txt')
    const plus = { 'X-SHARE-PASSWORD': 'p%C3%A4+ss%2B%25' }
    expect((await viewShare(server, link.hash, '', '', plus)).status).toBe(200)
  })

  test('that is wrong, empty or malformed opens nothing', async () => {
    for (const header of ['wrong', '', 'p%C3%A4%20ss%2B', '%', '%zz', '%C3', 'x'.repeat(4000)]) {
      const headers = { 'X-SHARE-PASSWORD': header }
      expect(await statuses(viewShare(server, link.hash, '', '', headers))).toEqual([401])
    }
  })

  test('returns a token that opens downloads', async () => {
    const { token } = json(await viewShare(server, link.hash, '', '', right))
    expect(token).toEqual(expect.any(String))
    expect((await load(server, link.hash, '/one.txt', `?token=${token}`)).text).toBe('docs/one.txt')
    expect((await load(server, link.hash, '', `?algo=tar&token=${token}&`)).status).toBe(200)
    expect(json(await viewShare(server, link.hash, '/sub', `?token=${token}`)).token).toBe(token)
  })

  test('returns a token for this link alone, and none for an account', async () => {
    const other = await linkTo(server, ann.token, '/docs', { password: 'pä ss+%' })
    const { token } = json(await viewShare(server, link.hash, '', '', right))
    expect((await load(server, other.hash, '/one.txt', `?token=${token}`)).status).toBe(401)
    expect((await call(server, '/api/resources/', { token })).status).toBe(401)
    expect((await call(server, `/api/raw/a.txt?auth=${token}`)).status).toBe(401)
    for (const wrong of [ann.token, 'x', '', `${token}x`, token.slice(0, -5)]) {
      expect((await load(server, link.hash, '/one.txt', `?token=${wrong}`)).status).toBe(401)
    }
  })

  test('SHR-05 cannot be guessed without limit, while tokens keep working', async () => {
    const { hash } = await linkTo(server, ann.token, '/docs', { password: 'guess me' })
    const { token } = json(await viewShare(server, hash, '', '', withPassword('guess me')))
    const tries: Answer[] = []
    for (let index = 0; index < 12; index += 1)
      tries.push(await viewShare(server, hash, '', '', withPassword(`no ${index}`)))
    expect(tries[0]?.status).toBe(401)
    const last = tries.at(-1)
    expect(last?.status).toBe(429)
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await viewShare(server, hash, '', '', withPassword('guess me'))).status).toBe(429)
    expect((await load(server, hash, '/one.txt', `?token=${token}`)).status).toBe(200)
    expect((await viewShare(server, link.hash, '', '', right)).status).toBe(200)
  })
})

describe('an unknown link', () => {
  test.each(['/api/public/share/', '/api/public/dl/', '/api/public/share/AAAAAAAA', '/api/public/dl/AAAAAAAA/x'])(
    'such as %s is not found',
    async path => {
      const answer = await call(server, path)
      expect(answer.status).toBe(404)
      expect(answer.text).toBe('404 Not Found\n')
    },
  )

  test('such as one in another case or with an extra character is not found', async () => {
    const { hash } = await linkTo(server, ann.token, '/a.txt')
    const swapped = hash.replace(/[a-z]/i, char =>
      char === char.toLowerCase() ? char.toUpperCase() : char.toLowerCase(),
    )
    for (const wrong of [swapped, `${hash}a`, hash.slice(1), `${hash}%00`, `${hash}' or 1=1`]) {
      expect([400, 404]).toContain((await load(server, encodeURIComponent(wrong))).status)
    }
  })
})

test('every odd name is shared, listed and downloaded unchanged', async () => {
  const bob = await sharer()
  for (const name of HOSTILE_NAMES) await writeFile(join(bob.home, 'docs/sub', name), `I am ${name}`)
  const folder = await linkTo(server, bob.token, '/docs/sub')
  expect(names(await viewShare(server, folder.hash)).sort()).toEqual([...HOSTILE_NAMES, 'two.txt'].sort())
  for (const name of HOSTILE_NAMES) {
    const link = await linkTo(server, bob.token, `/docs/sub/${name}`)
    expect(link.path).toBe(`/docs/sub/${name}`)
    expect((await load(server, link.hash)).text).toBe(`I am ${name}`)
    expect((await call(server, `/api/public/dl/${folder.hash}/${encode(name)}`)).text).toBe(`I am ${name}`)
  }
})
