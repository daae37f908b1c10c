import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manager } from './accounts.ts'
import { type Answer, call, encode, json } from './client.ts'
import { openInstance } from './instance.ts'
import { linkTo, load, share, viewShare, withPassword } from './links-client.ts'
import { newSharer } from './sharers.ts'

const server = await openInstance()
const admin = await manager(server)
const ann = await newSharer(server, admin)
const bob = await newSharer(server, admin)
await writeFile(join(ann.home, 'docs/tiny.svg'), '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
const archive = await call(server, `/api/raw${encode('/docs')}`, { token: ann.token })
await writeFile(join(ann.home, 'docs/pack.zip'), archive.bytes)

const change = (hash: string, body: object, { token } = ann) =>
  call(server, `/api/links/${hash}`, { method: 'PATCH', token, body: JSON.stringify(body) })
const codeOf = ({ status, headers }: Answer) => [status, headers.get('x-error-code')]
const PAUSED = [403, 'link_paused']

test('a paused link is shut for visitors until it is resumed, and stays as it was', async () => {
  const link = await linkTo(server, ann.token, '/docs/', { label: 'Trip', maxDownloads: 3 })
  const paused = json(await change(link.hash, { paused: true }))
  expect(paused).toEqual({ ...link, paused: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) })
  expect(json(await change(link.hash, { paused: true, label: 'Trip' }))).toEqual(paused)
  expect(codeOf(await viewShare(server, link.hash))).toEqual(PAUSED)
  expect(codeOf(await load(server, link.hash, '/one.txt'))).toEqual(PAUSED)
  expect(json(await call(server, '/api/shares', { token: ann.token }))).toContainEqual(paused)
  expect(json(await change(link.hash, { paused: false }))).toEqual(link)
  expect((await load(server, link.hash, '/one.txt')).text).toBe('docs/one.txt')
})

test('PUB-07 a paused file request takes no bytes, also of an upload that has begun', async () => {
  const { hash } = await linkTo(server, ann.token, '/docs/', { kind: 'drop' })
  const begin = (name: string) =>
    call(server, `/api/public/tus/${hash}/${name}`, { method: 'POST', headers: { 'Upload-Length': '3' } })
  const location = (await begin('begun.bin')).headers.get('location') ?? ''
  const send = () =>
    call(server, new URL(location, 'http://x').pathname, {
      method: 'PATCH',
      headers: { 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
      body: 'abc',
    })
  await change(hash, { paused: true })
  expect(codeOf(await begin('late.bin'))).toEqual(PAUSED)
  expect(codeOf(await send())).toEqual(PAUSED)
  await change(hash, { paused: false })
  expect((await send()).status).toBe(204)
})

test('a paused link with a password says so to those only who know the password', async () => {
  const { hash } = await linkTo(server, ann.token, '/docs/', { password: 'copper' })
  await change(hash, { paused: true })
  expect((await viewShare(server, hash)).status).toBe(401)
  expect(codeOf(await viewShare(server, hash, '', '', withPassword('copper')))).toEqual(PAUSED)
})

test('a link is paused by its owner and by administrators', async () => {
  const { hash } = await linkTo(server, ann.token, '/docs/')
  expect((await change(hash, { paused: true }, bob)).status).toBe(403)
  expect((await viewShare(server, hash)).status).toBe(200)
  const asAdmin = { ...ann, token: admin.token }
  expect(json(await change(hash, { paused: true }, asAdmin))).toMatchObject({ paused: expect.any(String) })
})

test('a link of previews lists and shows images made here, and sends no content', async () => {
  const link = await linkTo(server, ann.token, '/docs/', { previewOnly: true })
  const { hash } = link
  expect(link).toMatchObject({ previewOnly: true })
  expect(json(await viewShare(server, hash))).toMatchObject({ previewOnly: true, isDir: true })
  expect(json(await viewShare(server, hash, '/one.txt'))).toMatchObject({ previewOnly: true, name: 'one.txt' })
  const contents = ['dl', 'archives/list', 'archives/member', 'subtitle']
  for (const what of contents) {
    for (const path of ['', '/one.txt', '/pack.zip?member=/one.txt', '/tiny.svg?inline=true'])
      expect((await call(server, `/api/public/${what}/${hash}${path}`)).status, what + path).toBe(403)
  }
  // The image itself would be sent: it is not rendered.
  expect((await call(server, `/api/public/preview/big/${hash}/tiny.svg`)).status).toBe(501)
  expect(json(await change(hash, { previewOnly: false }))).not.toHaveProperty('previewOnly')
  expect((await load(server, hash, '/one.txt')).text).toBe('docs/one.txt')
})

test('previews are of links to view only', async () => {
  expect((await share(server, ann.token, '/docs/', { kind: 'drop', previewOnly: true })).status).toBe(400)
  const { hash } = await linkTo(server, ann.token, '/docs/', { kind: 'drop' })
  expect((await change(hash, { previewOnly: true })).status).toBe(400)
})

test('the message of a link is shown to its visitors, after the password', async () => {
  const link = await linkTo(server, ann.token, '/docs/', { note: 'From the trip', password: 'copper' })
  expect(link).toMatchObject({ note: 'From the trip' })
  expect((await viewShare(server, link.hash)).text).not.toContain('From the trip')
  const seen = await viewShare(server, link.hash, '', '', withPassword('copper'))
  expect(json(seen)).toMatchObject({ note: 'From the trip' })
  expect(json(await change(link.hash, { note: '' }))).not.toHaveProperty('note')
  expect((await change(link.hash, { note: 'x'.repeat(1001) })).status).toBe(400)
})
