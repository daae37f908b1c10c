import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { startServer } from '../api/harness.ts'
import { freePort } from '../proxies/free-port.ts'
import { App } from './app.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'
import { OTHER_BUILD, WorkerFront } from './worker-front.ts'

test.use({ serviceWorkers: 'allow' })

const controlled = (page: Page) =>
  expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)

/** The builds of which the browser keeps files. */
const builds = (page: Page) =>
  page.evaluate(async () =>
    (await caches.keys()).flatMap(name => / build (\w+)$/.exec(name)?.[1] ?? []).filter(name => name !== ''),
  )

const offered = (page: Page) => page.getByText('A new version is ready.').first()

/** Reloads until the new worker waits, takes the offer, and waits for the page after it. */
async function takeUpdate(page: Page, app: App): Promise<void> {
  await page.reload()
  await expect(offered(page)).toBeVisible()
  await expect(app.grid.or(page.getByText('It feels lonely here…')).first()).toBeVisible()
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Reload' }).first().click()
  await loaded
  await controlled(page)
}

test('PWA-05 a page of one build works with the worker of another, until its user takes the update, and back', async ({
  page,
  server,
}) => {
  const front = await WorkerFront.before(server)
  const app = new App(page, front.url)
  await app.openFolder('')
  await controlled(page)
  const [own = ''] = await builds(page)
  expect(own).toMatch(/^[0-9a-f]{16}$/)

  front.worker = 'other'
  await takeUpdate(page, app)
  await expect.poll(() => builds(page)).toEqual([OTHER_BUILD])
  front.worker = 'own'
  await takeUpdate(page, app)
  await expect.poll(() => builds(page)).toEqual([own])
  await page.close()
  front.close()
})

test('PWA-07 a worker that throws, and one that is no program, are replaced at the next load', async ({
  page,
  server,
}) => {
  const front = await WorkerFront.before(server)
  const app = new App(page, front.url)
  front.worker = {
    script: `addEventListener('install', () => skipWaiting())
      addEventListener('activate', event => event.waitUntil(clients.claim()))
      addEventListener('fetch', () => { throw new Error('broken') })`,
  }
  await app.openFolder('')
  await controlled(page)
  await page.reload()
  await app.settled()
  expect(await builds(page)).toEqual([])
  front.worker = 'own'
  await takeUpdate(page, app)
  await expect.poll(async () => (await builds(page)).length).toBe(1)

  front.worker = { script: 'this is { no program' }
  await page.reload()
  await app.settled()
  await controlled(page)
  expect(await builds(page)).toHaveLength(1)
  await page.close()
  front.close()
})

test('PWA-03 a form of another site uploads nothing: the page asks, and what was sent can be discarded', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  await controlled(page)
  const changes: string[] = []
  page.on('request', request => {
    if (request.method() !== 'GET' && /\/api\/(tus|resources|jobs)/.test(request.url())) changes.push(request.url())
  })
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/html' }).end(
      `<form method="post" enctype="multipart/form-data" action="${app.url}/share-target">
        <input name="text" value="words of another site"></form><script>document.forms[0].submit()</script>`,
    )
  })
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`)
  const card = page.getByRole('region', { name: 'Shared by another app' })
  await expect(card).toContainText('words of another site')
  await app.openFolder(corner.path)
  await expect(card.getByRole('button', { name: 'Save here' })).toBeVisible()
  await card.getByRole('button', { name: 'Discard' }).click()
  await expect(card).toHaveCount(0)
  expect(changes).toEqual([])
  expect(await readdir(corner.disk)).toEqual([])
  site.close()
  site.closeAllConnections()
})

test.describe('PWA-06 the worker', () => {
  test.use({ storageState: ANONYMOUS })

  test('has its scope under a base URL that a proxy strips', async ({ page }) => {
    const server = await startServer({ base: '/files/of/us', args: ['--prefixStripped'] })
    const front = await WorkerFront.before(server, true)
    const app = new App(page, front.url)
    await app.open('/login')
    await app.logIn(server.adminPassword)
    await app.settled()
    await controlled(page)
    const scope = await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)
    expect(scope).toBe(`${front.url}/`)
    const kept = await page.evaluate(async () => {
      const names = await caches.keys()
      const keys = await Promise.all(names.map(async name => (await caches.open(name)).keys()))
      return keys.flat().map(({ url }) => url)
    })
    expect(kept.filter(url => !url.startsWith(`${front.url}/`))).toEqual([])
    await page.close()
    front.close()
    await server.stop()
  })

  test('is not at the origin of contents', async () => {
    const port = await freePort()
    const content = `http://localhost:${port}`
    const server = await startServer({ args: ['--port', String(port), '--contentOrigin', content] })
    for (const [method, path] of [
      ['GET', '/sw.js'],
      ['GET', '/manifest.webmanifest'],
      ['POST', '/share-target'],
    ]) {
      const answer = await fetch(`${content}${path}`, { ...(method && { method }), redirect: 'manual' })
      expect([path, answer.status]).toEqual([path, 404])
    }
    expect((await fetch(`${server.url}/sw.js`)).status).toBe(200)
    await server.stop()
  })
})
