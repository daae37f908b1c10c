import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { CONTRACT } from '../api/contract.ts'
import { expect, test } from './fixtures.ts'

test.use({ serviceWorkers: 'allow' })

const controlled = (page: Page) =>
  expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)

/** Addresses that are neither calls of the API nor screens. */
const OTHERS = [
  'GET /dav/',
  'PROPFIND /dav/x.txt',
  'PUT /dav/x.txt',
  'GET /wopi/files/x',
  'GET /share/x/y.txt',
  'GET /api/',
  'GET /apix',
  'GET /health',
  'GET /sw.js',
  'GET /manifest.webmanifest',
  'POST /files/',
]

/** Every call of the API, with some path. */
const CALLS = [
  ...CONTRACT.map(({ method, route }) => `${method} ${route.replace(/\*$/, 'x/y.txt').replace(/:\w+/g, 'x')}`),
  ...OTHERS,
]

/** Sends calls from the page, those that read with its session. @returns those that the service worker answered */
async function answeredByWorker(page: Page, url: string): Promise<string[]> {
  const asked = new Set(CALLS.map(text => new URL(url + text.slice(text.indexOf(' ') + 1)).href))
  const answered: string[] = []
  let seen = 0
  page.on('response', response => {
    // The page itself may still be loading.
    if (!asked.has(response.url())) return
    seen += 1
    if (response.fromServiceWorker()) answered.push(`${response.request().method()} ${response.url()}`)
  })
  await page.evaluate(
    async ([base, calls]) => {
      const token = localStorage.getItem('jwt')
      for (const call of calls) {
        const [method = '', path = ''] = call.split(' ')
        const headers = method === 'GET' && token ? { 'X-Auth': token } : {}
        // Some answers are streams that do not end.
        const end = new AbortController()
        const how = { method, headers, credentials: 'omit', signal: end.signal } as const
        await fetch(base + path, how).catch(() => undefined)
        end.abort()
      }
    },
    [url, CALLS] as const,
  )
  expect(seen).toBeGreaterThanOrEqual(CALLS.length)
  return answered
}

test('PWA-01 the worker answers no call, no WebDAV, no link and nothing else that is no screen, signed in and out', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  await controlled(page)
  expect(await answeredByWorker(page, app.url)).toEqual([])
  await app.logOut()
  await app.isAt('/login')
  await controlled(page)
  expect(await answeredByWorker(page, app.url)).toEqual([])
})

test('PWA-01 without a connection every screen opens, and no other address does', async ({
  app,
  page,
  corner,
  complaints,
}) => {
  await app.openFolder(corner.path)
  await controlled(page)
  await page.reload()
  await app.settled()
  await app.goOffline()
  const screens = [
    '/',
    '/files/',
    '/history',
    '/recent',
    '/search?q=a',
    '/settings/profile',
    '/starred',
    '/tags/',
    '/trash/',
    '/usage/',
  ]
  for (const screen of screens) {
    await app.open(screen)
    await expect(page.getByRole('banner'), screen).toBeVisible()
  }
  for (const path of [
    '/api/resources/',
    '/api/raw/x',
    '/dav/',
    '/wopi/files/x',
    '/share/x',
    '/health',
    '/static/x',
    '/filesx',
  ])
    await expect(app.open(path), path).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
  // Screens whose parts were never loaded say so, also to the console.
  complaints.length = 0
})

test('PWA-02 after a sign-out no cache of the browser has a name or a byte of the user', async ({
  app,
  page,
  corner,
}) => {
  const words = 'words that only this user may read'
  await writeFile(join(corner.disk, 'diary of ann.txt'), words)
  const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>drawn by ann</text></svg>'
  await writeFile(join(corner.disk, 'drawing of ann.svg'), picture)
  const asked = new Set<string>()
  page.on('request', request => {
    if (request.method() === 'GET' && /\/api\//.test(request.url()) && !/\/events/.test(request.url()))
      asked.add(request.url())
  })
  await app.openFolder(corner.path)
  await controlled(page)
  for (const name of ['diary of ann.txt', 'drawing of ann.svg']) {
    await app.row(name).dblclick()
    await expect(page.getByRole('button', { name: 'Close' }).first()).toBeVisible()
    await app.atRest()
    await app.openFolder(corner.path)
  }
  await page.evaluate(async text => {
    const names = (await caches.keys()).filter(name => name.includes('filigree'))
    const received = await caches.open(names[0]?.replace(/build .*/, 'received') ?? '')
    await received.put('./received/1/0', new Response(text, { headers: { 'X-Name': 'photo of ann.jpg' } }))
  }, words)
  const token = await page.evaluate(() => localStorage.getItem('jwt') ?? '')
  await app.logOut()
  await app.isAt('/login')

  const kept = () =>
    page.evaluate(async () => {
      const found: string[] = []
      for (const name of await caches.keys())
        for (const key of await (await caches.open(name)).keys()) {
          const answer = await (await caches.open(name)).match(key)
          found.push(name, key.url, JSON.stringify([...(answer?.headers ?? [])]), (await answer?.text()) ?? '')
        }
      return found.filter(text => / ann|only this user|jwt=/.test(text) || /\/api\//.test(text.slice(0, 200)))
    })
  await expect.poll(kept).toEqual([])
  const stored = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))
  expect(stored).not.toMatch(/of ann|only this user/)
  const inHttpCache = await page.evaluate(
    async ([urls, secret]) => {
      const found: string[] = []
      for (const url of urls)
        for (const headers of [{}, { 'X-Auth': secret }])
          await fetch(url, { cache: 'only-if-cached', mode: 'same-origin', headers }).then(
            answer => answer.ok && found.push(url),
            () => undefined,
          )
      return found
    },
    [[...asked], token] as const,
  )
  expect(asked.size).toBeGreaterThan(3)
  expect(inHttpCache).toEqual([])
})
