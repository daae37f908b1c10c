import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../server/limits.ts'
import { manager } from './accounts.ts'
import { call, json } from './client.ts'
import { openInstance } from './instance.ts'
import { configure } from './people.ts'

const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>'

const server = await openInstance()
const admin = await manager(server)
await configure(server, {})
const home = await mkdtemp(join(tmpdir(), 'images-'))
afterAll(() => rm(home, { recursive: true, force: true }))

const put = (name: string, body: string | Buffer<ArrayBuffer>, token = admin.token) =>
  call(server, `/api/branding/${name}`, { method: 'PUT', token, body })
const remove = (name: string) => call(server, `/api/branding/${name}`, { method: 'DELETE', token: admin.token })
const stored = async () => json(await call(server, '/api/branding', { token: admin.token }))

/** The page: its configuration and its head. */
async function page() {
  const { text } = await call(server, '/login')
  const config = JSON.parse(/id="app-config">(.*?)<\/script>/s.exec(text)?.[1] ?? '')
  return { config, head: text.slice(0, text.indexOf('</head>')) }
}

/** A file of the server by the address that the page has for it. */
const follow = (address: string) => call({ url: new URL(server.url).origin }, address)

afterEach(async () => {
  for (const name of ['logo', 'icon', 'picture']) await remove(name)
})

test('an uploaded logo is shown instead of that of the folder, until it is removed', async () => {
  await mkdir(join(home, 'img'), { recursive: true })
  await writeFile(join(home, 'img/logo.svg'), DRAWING)
  await admin.change({ branding: { files: home } })
  const answer = await put('logo', await readFile('test/corpus/halves.png'))
  expect(answer.status).toBe(200)
  expect(json(answer)).toMatchObject({ name: 'logo', type: 'image/png' })
  const { Logo } = (await page()).config
  expect(Logo).toBe(`${new URL(server.url).pathname.replace(/\/$/, '')}/static/branding/logo?v=${json(answer).version}`)
  const image = await follow(Logo)
  expect(image.bytes.equals(await readFile('test/corpus/halves.png'))).toBe(true)
  expect(image.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect((await remove('logo')).status).toBe(204)
  expect((await follow(Logo)).status).toBe(404)
  expect((await page()).config.Logo).toContain('/static/img/logo.svg')
  expect((await remove('logo')).status).toBe(404)
  await admin.change({ branding: {} })
})

test('a replaced image has another address, and the old one is not cached for good', async () => {
  await put('picture', await readFile('test/corpus/halves.jpg'))
  const before = (await page()).config.LoginPicture
  await put('picture', await readFile('test/corpus/halves.webp'))
  const { LoginPicture } = (await page()).config
  expect(LoginPicture).not.toBe(before)
  expect((await follow(LoginPicture)).headers.get('content-type')).toBe('image/webp')
  expect((await follow(before)).headers.get('cache-control')).toBe('public, no-cache')
})

test('XSS-01 a drawing is sent with a policy that runs no script, whatever it contains', async () => {
  await put('logo', `<?xml version="1.0"?><!-- ours --><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`)
  const image = await follow((await page()).config.Logo)
  expect(image.headers.get('content-type')).toBe('image/svg+xml')
  expect(image.headers.get('content-security-policy')).toMatch(/default-src 'none';.*sandbox$/)
  expect(image.headers.get('x-content-type-options')).toBe('nosniff')
})

test('an uploaded icon is that of the tab, of the home screen and of the installed app', async () => {
  await put('icon', DRAWING)
  const { head } = await page()
  expect(head).toMatch(/<link rel="icon" href="[^"]*\/static\/branding\/icon\?v=\w+" type="image\/svg\+xml">/)
  expect(head.match(/rel="icon"/g)).toHaveLength(1)
  const { icons } = json(await call(server, '/manifest.webmanifest'))
  expect(icons).toEqual([expect.objectContaining({ sizes: 'any', type: 'image/svg+xml' })])
  expect((await follow(icons[0].src)).text).toBe(DRAWING)
  // Too small for an app.
  await put('icon', Buffer.from(await smallImage()))
  expect((await page()).head).toMatch(/<link rel="apple-touch-icon" href="[^"]*\/static\/branding\/icon/)
  expect(json(await call(server, '/manifest.webmanifest')).icons.length).toBeGreaterThan(1)
})

test('the list names what was uploaded and how large each may be', async () => {
  await put('picture', DRAWING)
  const { images, limits } = await stored()
  expect(images).toEqual([expect.objectContaining({ name: 'picture', type: 'image/svg+xml', size: DRAWING.length })])
  expect(limits).toEqual({ logo: LIMITS.brandingLogo, icon: LIMITS.brandingLogo, picture: LIMITS.brandingPicture })
})

test.each([
  ['text', 'hello'],
  ['a page', '<!DOCTYPE html><html><body><svg/></body></html>'],
  ['a drawing with entities', '<!DOCTYPE svg [<!ENTITY a "b">]><svg/>'],
  ['the name of a type without an image', '\x89PNG'],
  ['nothing', ''],
])('%s is no image and is refused', async (_what, body) => {
  const answer = await put('logo', body)
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('not a PNG, JPEG, WebP or SVG image')
  expect((await stored()).images).toEqual([])
})

test('an image above its limit is refused', async () => {
  const large = (bytes: number) => `${DRAWING}${' '.repeat(bytes + 1 - DRAWING.length)}`
  expect((await put('logo', large(LIMITS.brandingLogo))).status).toBe(413)
  expect((await put('picture', large(LIMITS.brandingLogo))).status).toBe(200)
  expect((await put('picture', large(LIMITS.brandingPicture))).status).toBe(413)
})

test('other names are not found, however they are spelled', async () => {
  for (const name of ['banner', '..%2Flogo', 'logo.svg']) expect((await put(name, DRAWING)).status).toBe(404)
  for (const name of ['banner', '..%2F..%2Findex.html', 'logo']) {
    expect((await call(server, `/static/branding/${name}`)).status).toBe(404)
  }
})

describe('callers', () => {
  test('only administrators upload, list and remove images', async () => {
    await admin.add('painter')
    const token = (
      await call(server, '/api/login', {
        method: 'POST',
        body: JSON.stringify({ username: 'painter', password: 'copper-anvil-drifts-9', recaptcha: '' }),
      })
    ).text
    for (const method of ['PUT', 'DELETE']) {
      const path = '/api/branding/logo'
      expect((await call(server, path, { method, token, ...(method === 'PUT' && { body: DRAWING }) })).status).toBe(403)
      expect((await call(server, path, { method, ...(method === 'PUT' && { body: DRAWING }) })).status).toBe(401)
    }
    expect((await call(server, '/api/branding', { token })).status).toBe(403)
    expect((await call(server, '/api/branding')).status).toBe(401)
  })

  test('the audit log has each upload and each removal, with the name of the image', async () => {
    await put('logo', DRAWING)
    await remove('logo')
    const { text } = await call(server, '/api/audit?action=settings.change', { token: admin.token })
    expect(text.match(/branding\.logo/g)?.length).toBeGreaterThanOrEqual(2)
  })
})

test('img/login.jpg in the branding folder is shown on the sign-in page', async () => {
  await mkdir(join(home, 'img'), { recursive: true })
  await writeFile(join(home, 'img/login.jpg'), await readFile('test/corpus/halves.jpg'))
  await admin.change({ branding: { files: home } })
  const { LoginPicture } = (await page()).config
  expect(LoginPicture).toMatch(/\/static\/img\/login\.jpg\?v=\w+$/)
  expect((await follow(LoginPicture)).headers.get('content-type')).toBe('image/jpeg')
  await admin.change({ branding: {} })
  expect((await call(server, '/static/img/login.jpg')).status).toBe(404)
  expect((await page()).config.LoginPicture).toBe('')
})

/** An image of 32 × 20 pixels. */
async function smallImage(): Promise<Uint8Array> {
  const { default: sharp } = await import('sharp')
  const create = { width: 32, height: 20, channels: 3 as const, background: 'teal' }
  return sharp({ create }).png().toBuffer()
}
