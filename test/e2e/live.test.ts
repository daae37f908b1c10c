import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manager, newcomer, perm } from '../api/accounts.ts'
import { call } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { App } from './app.ts'
import { type Corner, expect } from './fixtures.ts'
import { choose, test } from './sending.ts'

/** Milliseconds within which an open listing shows changes by others, also on a slow machine: two seconds on a usual one. */
const SOON = 6000
/** Attempts at each change: a busy machine may be late a few times. */
const ATTEMPTS = 8

/** Makes a file of that name in a folder. */
type Change = (name: string) => Promise<unknown>

/** Opens a folder of a hundred files, selects one near its end, and waits until the page listens. */
async function scrollToEnd(app: App, corner: Corner): Promise<void> {
  const { page } = app
  const listening = page.waitForResponse(response => response.url().includes('/api/events?folder='))
  for (let index = 100; index < 200; index += 1) await writeFile(join(corner.disk, `${index}.txt`), '')
  await app.openFolder(corner.path)
  await app.row('100.txt').focus()
  await page.keyboard.press('End')
  await expect.poll(() => app.selected()).toEqual(['199.txt'])
  await page.keyboard.press('ArrowUp')
  await listening
}

/**
 * Has a file created and deleted again, until that was seen soon enough. @returns the shortest time until it was seen
 */
async function timeUntilSeen(app: App, change: Change, remove: Change): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && shortest >= SOON; attempt += 1) {
    const name = `199 ${attempt}.txt`
    await change(name)
    const began = performance.now()
    await expect(app.row(name)).toBeVisible()
    shortest = Math.min(shortest, performance.now() - began)
    await remove(name)
    await expect(app.row(name)).toHaveCount(0)
  }
  return shortest
}

/** Requires that each change is seen soon, and that selection, focus and scroll position stay. */
async function expectToFollow(
  app: App,
  corner: Corner,
  changes: Readonly<Record<string, Change>>,
  remove: Change,
): Promise<void> {
  await scrollToEnd(app, corner)
  const place = async () => (await app.row('198.txt').boundingBox())?.y ?? 0
  const before = await place()
  for (const [who, change] of Object.entries(changes)) {
    expect(await timeUntilSeen(app, change, remove), who).toBeLessThan(SOON)
  }
  expect(await app.selected()).toEqual(['198.txt'])
  await expect(app.row('198.txt')).toBeFocused()
  expect(Math.abs((await place()) - before)).toBeLessThan(2)
}

const byProgram =
  (corner: Corner): Change =>
  name =>
    writeFile(join(corner.disk, name), 'by another program')

const removedByProgram =
  (corner: Corner): Change =>
  name =>
    rm(join(corner.disk, name))

/** The same user, by the API. */
const removedByCall =
  (server: OwnServer, corner: Corner, token: string): Change =>
  async name => {
    const path = `/api/resources${corner.path}/${encodeURIComponent(name)}`
    expect((await call(server, path, { method: 'DELETE', token })).status).toBe(204)
  }

/** Another user, who uploads by the API. */
async function byOther(server: OwnServer, corner: Corner): Promise<Change> {
  const { token } = await newcomer(server, await manager(server), { perm: perm('create') })
  return async name => {
    const path = `/api/resources${corner.path}/${encodeURIComponent(name)}`
    const answer = await call(server, path, { method: 'POST', token, body: 'x' })
    expect(answer.status).toBe(200)
  }
}

/** The same user, who uploads in another tab. */
async function byOtherTab({ page, url }: App, corner: Corner, local: string): Promise<Change> {
  const other = new App(await page.context().newPage(), url)
  await other.openFolder(corner.path)
  return async name => {
    await writeFile(join(local, name), 'by another tab')
    await choose(other, 'Files', join(local, name))
  }
}

test.describe('a listing shows changes by others soon, and keeps selection, focus and scroll position', () => {
  test('by events, without WebSockets', async ({ app, page, corner, server, local, token }) => {
    await page.routeWebSocket(/.*/, socket => socket.close())
    const changes = {
      'another user': await byOther(server, corner),
      'another tab': await byOtherTab(app, corner, local),
    }
    await expectToFollow(app, corner, changes, removedByCall(server, corner, token))
  })

  test('by events, for changes by other programs', async ({ app, corner }) => {
    await expectToFollow(app, corner, { 'another program': byProgram(corner) }, removedByProgram(corner))
  })

  test('by polling, where a proxy buffers events', async ({ app, page, corner, server }) => {
    test.slow()
    await page.route('**/api/events*', route => route.fulfill({ contentType: 'text/event-stream', body: '' }))
    const changes = { 'another program': byProgram(corner), 'another user': await byOther(server, corner) }
    await expectToFollow(app, corner, changes, removedByProgram(corner))
  })

  test('below an open file, too', async ({ app, page, corner, server }) => {
    await writeFile(join(corner.disk, 'open.txt'), 'text')
    const listening = page.waitForResponse(response => response.url().includes('/api/events?folder='))
    await app.open(`/files${encodeURI(corner.path)}/open.txt`)
    expect((await listening).status()).toBe(200)
    await (await byOther(server, corner))('new.txt')
    // Elements below a layer have no role in the accessibility tree.
    await expect(page.locator('[role=row]', { hasText: 'new.txt' })).toBeAttached()
  })
})
