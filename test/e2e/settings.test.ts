import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, perm } from '../api/accounts.ts'
import { call, json, login } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { expectAccessible } from './axe.ts'
import { becomeOther, expect, test } from './fixtures.ts'

/** Opens the page as a user of this test instead of the administrator. */
async function becomeNewcomer(page: Page, server: OwnServer, fields: Record<string, unknown> = {}) {
  const person = await newcomer(server, await manager(server), fields)
  await becomeOther(page, person.token)
  return person
}

const tabs = (page: Page) => page.getByRole('navigation', { name: 'Settings' }).getByRole('link')

test('every user reaches the profile from the sidebar, with the keyboard alone', async ({ app, page, server }) => {
  await becomeNewcomer(page, server)
  await app.open('/files/')
  await app.settled()
  const link = page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name: 'Settings' })
  await link.focus()
  await page.keyboard.press('Enter')
  await app.isAt('/settings/profile')
  await expect(page).toHaveTitle('Profile – Filigree')
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeFocused()
  await expect(tabs(page)).toHaveText(['Profile', 'Sign-in and security', 'Connect apps and drives'])
})

test('users cannot open pages of the settings they have no right to', async ({ app, page, server }) => {
  await becomeNewcomer(page, server, { perm: perm('create', 'download', 'share') })
  for (const address of ['/settings/global', '/settings/users', '/settings/users/new', '/settings/users/1']) {
    await app.open(address)
    await app.isAt('/403')
  }
  await app.open('/settings/shares')
  await expect(tabs(page)).toHaveText(['Profile', 'Sign-in and security', 'Connect apps and drives', 'Shared by me'])
})

for (const width of [1280, 1000, 800]) {
  test(`administrators see the names of all pages at ${width} pixels`, async ({ app, page }) => {
    await page.setViewportSize({ width, height: 720 })
    await app.open('/settings/profile')
    await expect(tabs(page)).not.toHaveCount(0)
    for (const tab of await tabs(page).all()) await expect(tab).toBeInViewport({ ratio: 1 })
    await expectAccessible(page)
  })
}

test('the profile is saved with its own fields only, and applies at once', async ({ app, page, server, corner }) => {
  await writeFile(join(corner.disk, '.hidden'), '')
  await writeFile(join(corner.disk, 'plain.txt'), '')
  const { id, token } = await becomeNewcomer(page, server)
  await app.openFolder(corner.path)
  await expect(app.row('.hidden')).toBeVisible()
  await app.open('/settings/profile')
  await page.getByLabel('Hide files that start with a dot').check()
  await page.getByLabel('Show exact dates').check()
  await page.getByLabel('Language').selectOption('English')
  const sent = page.waitForRequest(request => request.method() === 'PUT')
  await page.getByRole('button', { name: 'Update' }).first().click()
  await expect(page.getByText('Settings updated')).toBeVisible()
  expect((await sent).postDataJSON()).toMatchObject({
    what: 'user',
    which: ['locale', 'hideDotfiles', 'singleClick', 'dateFormat'],
    data: { id, locale: 'en', hideDotfiles: true, singleClick: false, dateFormat: true },
  })
  expect(json(await call(server, `/api/users/${id}`, { token }))).toMatchObject({
    hideDotfiles: true,
    dateFormat: true,
  })
  await app.page.getByRole('link', { name: 'My files' }).click()
  await app.openFolder(corner.path)
  await expect(app.row('plain.txt')).toBeVisible()
  await expect(app.row('.hidden')).toHaveCount(0)
})

test('the profile downloads what is stored of the user', async ({ app, page, server }) => {
  const { name } = await becomeNewcomer(page, server)
  await app.open('/settings/profile')
  const saved = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download data (ZIP)' }).click()
  expect((await saved).suggestedFilename()).toBe(`${name}.zip`)
  await expectAccessible(page)
})

test('a new password is judged while it is typed', async ({ app, page, server }) => {
  await becomeNewcomer(page, server)
  await app.open('/settings/security')
  const field = page.getByLabel('New password', { exact: true })
  await field.focus()
  for (const [more, judged] of [
    ['tin ra', 'Weak: easy to guess with some patience. Make it longer.'],
    ['in ro', 'Good password'],
    ['ofs maple 27 kites', 'Strong password'],
  ] as const) {
    await page.keyboard.type(more)
    await expect(page.getByRole('status').filter({ hasText: judged })).toBeVisible()
  }
  await field.fill('Password1234')
  await expect(page.getByRole('status').filter({ hasText: 'This password is too easy to guess.' })).toBeVisible()
  await expectAccessible(page)
  await field.fill('')
  await expect(page.getByText('This password is too easy to guess.')).toHaveCount(0)
})

test('a new password must be typed twice, and meet the policy', async ({ app, page, server }) => {
  const { name } = await becomeNewcomer(page, server)
  await app.open('/settings/security')
  const first = page.getByLabel('New password', { exact: true })
  const again = page.getByLabel('Confirm new password')
  let sent = 0
  page.on('request', request => {
    if (request.method() === 'PUT') sent += 1
  })
  await first.focus()
  await page.keyboard.press('Enter')
  await first.fill(OTHER_PASSWORD)
  await again.fill('something else')
  await expect(page.getByText("Passwords don't match")).toBeVisible()
  await page.keyboard.press('Enter')
  expect(sent).toBe(0)

  await first.fill('short')
  await again.fill('short')
  await expect(page.getByText('Passwords match')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Too short: a password needs at least 12 characters.')).toBeVisible()
  await expect(first).toBeFocused()
  await expect(again).toHaveValue('short')

  await first.fill(OTHER_PASSWORD)
  await again.fill(OTHER_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Password updated')).toBeVisible()
  await expect(first).toHaveValue('')
  expect((await login(server, name, OTHER_PASSWORD)).status).toBe(200)
  expect((await login(server, name, GOOD_PASSWORD)).status).toBe(403)
})

test('a user whose password is locked has no card to change it', async ({ app, page, server }) => {
  await becomeNewcomer(page, server, { lockPassword: true })
  await app.open('/settings/security')
  await expect(page.getByRole('heading', { name: 'Active sessions' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Change password' })).toHaveCount(0)
})

test('leaving with unsaved changes asks first', async ({ app, page, server }) => {
  await becomeNewcomer(page, server)
  await app.open('/settings/profile')
  await page.getByLabel('Open with a single click').check()
  await page.getByRole('link', { name: 'My files' }).click()
  await expect(page.getByRole('alertdialog', { name: 'Discard your changes?' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByLabel('Open with a single click')).toBeChecked()
  await page.getByRole('link', { name: 'My files' }).click()
  await app.button('Discard').click()
  await app.isAt('/files/')
})

const link = (server: OwnServer, token: string, name: string, body: object) =>
  call(server, `/api/share/${name}`, { method: 'POST', token, body: JSON.stringify(body) })

test('links are listed, copied and deleted', async ({ app, page, server, corner, context }) => {
  const own = await becomeNewcomer(page, server, { perm: perm('create', 'download', 'share'), scope: corner.path })
  await app.open('/settings/shares')
  await expect(page.getByText("You haven't shared anything yet.")).toBeVisible()
  await writeFile(join(corner.disk, 'a b.txt'), '')
  const { hash } = json(await link(server, own.token, 'a%20b.txt', {}))
  await link(server, own.token, '', { expires: '3', unit: 'days' })
  await page.reload()
  const rows = page.getByRole('row').filter({ has: page.getByRole('button') })
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(0)).toContainText('/a b.txt')
  await expect(rows.nth(0)).toContainText('Permanent')
  await expect(page.getByRole('columnheader', { name: 'Created' })).toBeVisible()
  await expect(rows.nth(0).locator('time:visible')).toHaveText('now')
  await expect(rows.nth(1)).toContainText('in 3 days')
  await expect(rows.nth(1).locator('time').last()).toHaveAttribute('title', /\d{4}/)
  await expect(page.getByRole('columnheader', { name: 'Username' })).toHaveCount(0)

  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await app.button('Copy the link to /a b.txt').click()
  await expect(page.getByText('Link copied')).toBeVisible()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}/share/${hash}`)

  await app.button('Delete the link to /a b.txt').click()
  await app.dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(rows).toHaveCount(2)
  await app.button('Delete the link to /a b.txt').focus()
  await page.keyboard.press('Enter')
  await app.confirmDelete()
  await expect(page.getByText('Share deleted')).toBeVisible()
  await expect(rows).toHaveCount(1)
})

test('administrators see the owner of each link', async ({ app, page, server, corner }) => {
  const boss = await manager(server)
  const other = await newcomer(server, boss, { perm: perm('download', 'share'), scope: corner.path })
  await link(server, other.token, '', {})
  await app.open('/settings/shares')
  await expect(page.getByRole('columnheader', { name: 'Username' })).toBeVisible()
  await expect(page.getByRole('row').filter({ hasText: other.name })).toBeVisible()
})

test('AUTH-06 sessions are listed, and ended one by one or everywhere', async ({ app, page, server }) => {
  const { token, name } = await becomeNewcomer(page, server)
  const other = (await login(server, name, GOOD_PASSWORD)).text
  await app.open('/settings/security')
  const card = page.getByRole('region', { name: 'Active sessions' })
  await expect(card.getByRole('listitem')).toHaveCount(2)
  await expect(card.getByText('This browser')).toBeVisible()
  await card.getByRole('button', { name: 'Log out', exact: true }).click()
  await expect(card.getByRole('listitem')).toHaveCount(1)
  expect((await call(server, '/api/resources/', { token: other })).status).toBe(401)
  await card.getByRole('button', { name: 'Log out everywhere' }).click()
  await expect(page).toHaveURL(/\/login/)
  expect((await call(server, '/api/resources/', { token })).status).toBe(401)
})
