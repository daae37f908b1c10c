import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { manager } from './accounts.ts'
import { type Answer, call, encode, json } from './client.ts'
import { openInstance } from './instance.ts'
import { linkTo, load, share, viewShare } from './links-client.ts'
import { newSharer } from './sharers.ts'

const server = await openInstance()
const ann = await newSharer(server, await manager(server))
const archive = await call(server, `/api/raw${encode('/docs')}`, { token: ann.token })
await writeFile(join(ann.home, 'docs/pack.zip'), archive.bytes)
await writeFile(join(ann.home, 'docs/film.srt'), '1\n00:00:01,000 --> 00:00:02,000\nHello\n')
await writeFile(join(ann.home, 'docs/tiny.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')

const limited = (path: string, maxDownloads = 1) => linkTo(server, ann.token, path, { maxDownloads })
const usedOf = async (path: string) =>
  json(await call(server, `/api/share${encode(path)}`, { token: ann.token })).at(-1).used
/** The cookie of a begun download, as a client sends it back. */
const cookieOf = ({ headers }: Answer) => ({ Cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '' })
const change = (hash: string, body: object) =>
  call(server, `/api/links/${hash}`, { method: 'PATCH', token: ann.token, body: JSON.stringify(body) })
const codeOf = ({ status, headers }: Answer) => [status, headers.get('x-error-code')]
const USED_UP = [404, 'limit_reached']

describe('PUB-04 a link with one download', () => {
  test('gives one of a hundred requests at once the file', async () => {
    const { hash } = await limited('/docs/one.txt')
    const answers = await Promise.all(Array.from({ length: 100 }, () => load(server, hash)))
    const got = answers.filter(({ status }) => status === 200)
    expect(got.map(({ text }) => text)).toEqual(['docs/one.txt'])
    expect(new Set(answers.filter(answer => !got.includes(answer)).map(answer => codeOf(answer).join(' ')))).toEqual(
      new Set([USED_UP.join(' ')]),
    )
    expect(await usedOf('/docs/one.txt')).toMatchObject({ downloads: 1 })
  })

  test('lets its client ask for the rest, again, and in ranges, and no other client', async () => {
    const { hash } = await limited('/docs/')
    const head = () => call(server, `/api/public/dl/${hash}/one.txt`, { method: 'HEAD' })
    expect((await head()).status).toBe(200)
    const first = await load(server, hash, '/one.txt', '', { Range: 'bytes=0-3' })
    expect([first.status, first.text]).toEqual([206, 'docs'])
    const set = first.headers.get('set-cookie') ?? ''
    expect(set).toMatch(/; Path=[^;]*\/api\/public\/dl\/[^;]+\/one\.txt; Max-Age=21600; HttpOnly; SameSite=Lax$/)
    const mine = cookieOf(first)
    const rest = await load(server, hash, '/one.txt', '', { ...mine, Range: 'bytes=4-' })
    expect([rest.status, rest.text]).toEqual([206, '/one.txt'])
    expect((await load(server, hash, '/one.txt', '?inline=true', mine)).text).toBe('docs/one.txt')
    expect(codeOf(await load(server, hash, '/one.txt', '', { Range: 'bytes=4-' }))).toEqual(USED_UP)
    expect(codeOf(await load(server, hash, '/sub/two.txt', '', mine))).toEqual(USED_UP)
    expect((await head()).status).toBe(404)
    await writeFile(join(ann.home, 'docs/one.txt'), 'docs/one.txt')
    expect(codeOf(await load(server, hash, '/one.txt', '', mine)), 'another version').toEqual(USED_UP)
  })

  test.each([
    ['an archive', 'dl', '/?algo=tar'],
    ['a file that is shown', 'dl', '/one.txt?inline=true'],
    ['a range', 'dl', '/one.txt'],
    ['a file of an archive', 'archives/member', '/pack.zip?member=one.txt'],
    ['subtitles', 'subtitle', '/film.srt'],
  ])('counts %s', async (what, route, rest) => {
    const { hash } = await limited('/docs/')
    const headers: Record<string, string> = what === 'a range' ? { Range: 'bytes=1-' } : {}
    const ask = (more = {}) => call(server, `/api/public/${route}/${hash}${rest}`, { headers: { ...headers, ...more } })
    const first = await ask()
    expect(first.status).toBeLessThan(300)
    expect(codeOf(await ask())).toEqual(USED_UP)
    expect((await ask(cookieOf(first))).status).toBe(first.status)
  })

  test('counts nothing that was refused before its first byte', async () => {
    const { hash } = await limited('/docs/')
    const refused = [
      await load(server, hash, '', '?algo=unknown'),
      await load(server, hash, '/one.txt', '', { Range: 'bytes=999-' }),
      await load(server, hash, '/one.txt', '', { 'If-Match': '"other"' }),
      await load(server, hash, '/missing.txt'),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 416, 412, 404])
    expect(refused.map(({ headers }) => headers.get('set-cookie'))).toEqual([null, null, null, null])
    expect((await load(server, hash, '/one.txt')).status).toBe(200)
  })

  test('sends no original as a preview', async () => {
    const open = await linkTo(server, ann.token, '/docs/')
    const { hash } = await limited('/docs/')
    const preview = (name: string) => call(server, `/api/public/preview/big/${name}/tiny.svg`)
    expect((await preview(open.hash)).status).toBe(200)
    expect((await preview(hash)).status).toBe(501)
  })

  test('says what is left, and is shut for visitors once it is used up', async () => {
    const { hash } = await limited('/docs/', 2)
    expect(json(await viewShare(server, hash))).toMatchObject({ downloadsLeft: 2 })
    await load(server, hash, '/one.txt')
    expect(json(await viewShare(server, hash, '/one.txt'))).toMatchObject({ downloadsLeft: 1 })
    await load(server, hash, '/one.txt')
    expect(codeOf(await viewShare(server, hash))).toEqual(USED_UP)
    expect(codeOf(await call(server, `/api/public/archives/list/${hash}/pack.zip`))).toEqual(USED_UP)
    expect((await change(hash, { maxDownloads: 3 })).status).toBe(200)
    expect(json(await viewShare(server, hash))).toMatchObject({ downloadsLeft: 1 })
    expect(json(await change(hash, { maxDownloads: null }))).not.toHaveProperty('maxDownloads')
    expect(json(await viewShare(server, hash))).not.toHaveProperty('downloadsLeft')
  })
})

test('PUB-04 a limit is a number above 0, and of links to view only', async () => {
  const terms = [{ maxDownloads: 0 }, { maxDownloads: 1.5 }, { maxDownloads: '2' }, { kind: 'drop', maxDownloads: 2 }]
  for (const body of terms) expect((await share(server, ann.token, '/docs/', body)).status).toBe(400)
  const { hash } = await linkTo(server, ann.token, '/docs/', { kind: 'drop' })
  expect((await change(hash, { maxDownloads: 2 })).status).toBe(400)
})
