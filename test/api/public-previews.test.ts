import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { halves, inspect } from '../../server/features/previews/test-pictures.ts'
import { call, encode, json, person } from './client.ts'
import { corner, openInstance } from './instance.ts'
import { linkTo, viewShare, withPassword } from './links-client.ts'

const server = await openInstance()
const admin = await person(server)
const { path: folder, disk } = await corner(server)
const png = await halves(1600, 400).png().toBuffer()
await mkdir(join(disk, 'shared/sub'), { recursive: true })
for (const name of ['shared/a b.png', 'shared/sub/c.png', 'outside.png']) await writeFile(join(disk, name), png)
await writeFile(join(disk, 'shared/a.txt'), 'text')

const { hash } = await linkTo(server, admin.token, `${folder}/shared/`)
const preview = (link: string, sub = '', query = '', headers: Record<string, string> = {}, size = 'thumb') =>
  call(server, `/api/public/preview/${size}/${link}${encode(sub)}${query}`, { headers })

describe('with a share link', () => {
  test.each([
    ['thumb', 256, 256],
    ['big', 1080, 270],
  ])('a preview of a shared image is available: %s', async (size, width, height) => {
    for (const sub of ['/a b.png', '/sub/c.png']) {
      const answer = await preview(hash, sub, '?inline=true&key=1', {}, size)
      expect(answer.status).toBe(200)
      expect(await inspect(answer.bytes)).toMatchObject({ width, height, corners: ['red', 'blue', 'red', 'blue'] })
      expect(answer.headers.get('content-security-policy')).toMatch(/(^|; )sandbox($|;)/)
      expect(answer.headers.get('cache-control')).toMatch(/^private/)
      const etag = answer.headers.get('etag') ?? ''
      expect((await preview(hash, sub, '', { 'If-None-Match': etag }, size)).status).toBe(304)
    }
  })

  test('of one file that file has a preview', async () => {
    const link = await linkTo(server, admin.token, `${folder}/outside.png`)
    expect((await preview(link.hash)).status).toBe(200)
  })

  test('entries next to it are unavailable, and files without previews have none', async () => {
    const sub = ['/outside.png', '/missing.png', '/a.txt', '/sub', '']
    const answers = await Promise.all(sub.map(path => preview(hash, path)))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 501, 501, 501])
  })

  test('the password, or a ticket for it, is required', async () => {
    const link = await linkTo(server, admin.token, `${folder}/shared/`, { password: 'open sesame, please' })
    expect((await preview(link.hash, '/a b.png')).status).toBe(401)
    const right = withPassword('open sesame, please')
    expect((await preview(link.hash, '/a b.png', '', right)).status).toBe(200)
    const { token } = json(await viewShare(server, link.hash, '', '', right))
    expect((await preview(link.hash, '/a b.png', `?token=${encodeURIComponent(token)}`)).status).toBe(200)
    expect((await preview(link.hash, '/a b.png', '?token=wrong')).status).toBe(401)
  })

  test('a deleted image has no preview, although it is cached', async () => {
    const link = await linkTo(server, admin.token, `${folder}/shared/`)
    expect((await preview(link.hash, '/sub/c.png')).status).toBe(200)
    await call(server, `/api/share/${link.hash}`, { method: 'DELETE', token: admin.token })
    expect((await preview(link.hash, '/sub/c.png')).status).toBe(404)
    await rm(join(disk, 'shared/sub/c.png'))
    expect((await preview(hash, '/sub/c.png')).status).toBe(404)
  })
})
