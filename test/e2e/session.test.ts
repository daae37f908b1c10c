import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { OwnServer } from '../api/harness.ts'
import { ANONYMOUS, expect, statusWith, test } from './fixtures.ts'

test.use({ storageState: ANONYMOUS })

const token = 'jwt'

test('a visitor who opens a folder signs in first and then sees that folder', async ({ app, page, server, corner }) => {
  await mkdir(join(corner.disk, 'a b%', 'inner'), { recursive: true })
  await app.open(`/files${corner.path}/a%20b%25/`)
  await app.isAt('/login')
  expect(new URL(page.url()).searchParams.get('redirect')).toBe(`/files${corner.path}/a%20b%25/`)
  await expect(page).toHaveTitle('Log in – Filigree')

  await app.logIn('not the password')
  await expect(page.getByRole('alert').filter({ hasText: 'Wrong credentials' })).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()

  await app.logIn(server.adminPassword)
  await app.isAt(`/files${corner.path}/a b%/`)
  await expect(app.row('inner')).toBeVisible()
  await expect(page).toHaveTitle('a b% – Filigree')
})

test('the start page leads to the sign-in page and from there to My files', async ({ app, page, server }) => {
  await app.open('/')
  await app.isAt('/login')
  await expect(page.getByLabel('Username')).toBeFocused()
  await page.keyboard.type('admin')
  await page.keyboard.press('Tab')
  await page.keyboard.type(server.adminPassword)
  await page.keyboard.press('Enter')
  await app.isAt('/files/')
  await app.settled()
  // The first row has the focus, but only other keys draw a ring around it.
  await expect(page.locator('html')).not.toHaveAttribute('data-keys')
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('html')).toHaveAttribute('data-keys')
})

test('a signed-in user who opens the sign-in page is sent to the files', async ({ app, server }) => {
  await app.open('/login')
  await app.logIn(server.adminPassword)
  await app.isAt('/files/')
  await app.open('/login')
  await app.isAt('/files/')
})

test('CSRF-04 a redirect to another origin is not followed', async ({ app, page, server }) => {
  for (const target of ['//evil.example/', 'https://evil.example/', '/\\evil.example']) {
    await app.open(`/login?redirect=${encodeURIComponent(target)}`)
    await app.logIn(server.adminPassword)
    await app.isAt('/files/')
    expect(new URL(page.url()).origin).toBe(new URL(server.url).origin)
    await page.evaluate(key => localStorage.removeItem(key), token)
  }
})

test('HDR-05 after signing out the page, the history and all that a script could have read are of no use', async ({
  app,
  page,
  server,
}) => {
  await app.open('/login')
  await app.logIn(server.adminPassword)
  await app.settled()
  const old = await page.evaluate(key => localStorage.getItem(key) ?? '', token)
  expect(await statusWith(server, old)).toBe(200)
  const readable = await page.evaluate(() => [
    document.cookie,
    ...Object.values({ ...localStorage }),
    ...Object.values({ ...sessionStorage }),
  ])

  await app.logOut()
  await app.isAt('/login')
  expect(await page.evaluate(key => localStorage.getItem(key) ?? '', token)).toBe('')
  expect(await page.context().cookies()).toEqual([])
  for (const text of readable) expect([text, await statusWith(server, text)]).toEqual([text, 401])

  await page.goBack()
  await app.open('/files/')
  await app.isAt('/login')
  await expect(app.grid).toHaveCount(0)
})

test.describe('a session that was ended elsewhere', () => {
  test.beforeEach(async ({ app, corner, server }) => {
    await app.open(`/files${corner.path}/`)
    await app.logIn(server.adminPassword)
    await app.settled()
  })

  /** Ends the session of the page as another device would. */
  async function endIt(page: Page, server: OwnServer): Promise<void> {
    const old = await page.evaluate(key => localStorage.getItem(key) ?? '', token)
    await page.request.post(`${server.url}/api/logout`, { headers: { 'X-Auth': old } })
  }

  test('leads to the sign-in page with the reason at the next step, and back to the page', async ({
    app,
    page,
    server,
    corner,
  }) => {
    // Without the stream of events, which may report it before the next action.
    await page.route('**/api/events**', route => route.abort())
    await page.reload()
    await app.settled()
    await endIt(page, server)
    // Without events the page also asks from time to time: one of its calls may be the next step.
    await app
      .button('Refresh')
      .click({ timeout: 3000 })
      .catch(() => undefined)
    await app.isAt('/login')
    await expect(page.getByText('Your session has ended.')).toBeVisible()
    await app.logIn(server.adminPassword)
    await app.isAt(`/files${corner.path}/`)
  })

  test('leads to the sign-in page automatically where events arrive', async ({ app, page, server }) => {
    await endIt(page, server)
    await expect(page.getByText('Your session has ended.')).toBeVisible({ timeout: 60_000 })
    await app.isAt('/login')
  })
})

test('the loading overlay disappears, and does not block the page until then', async ({ app, page }) => {
  await page.addInitScript(() => {
    // The element that would receive a click as soon as the page is there.
    new MutationObserver((_, observer) => {
      const overlay = document.querySelector('#loading[data-done]')
      if (!overlay) return
      observer.disconnect()
      document.documentElement.dataset.reached = String(document.elementFromPoint(5, 5) !== overlay)
    }).observe(document, { subtree: true, childList: true, attributes: true })
  })
  await app.open('/login')
  await expect(page.getByLabel('Username')).toBeVisible()
  await expect(page.locator('#loading')).toHaveCount(0)
  await expect(page.locator('html')).toHaveAttribute('data-reached', 'true')
})

test('the password can be shown', async ({ app, page }) => {
  await app.open('/login')
  const field = page.getByLabel('Password', { exact: true })
  await field.fill('secret')
  await expect(field).toHaveAttribute('type', 'password')
  await app.button('Show password').click()
  await expect(field).toHaveAttribute('type', 'text')
})
