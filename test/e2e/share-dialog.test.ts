import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { GOOD_PASSWORD, manager, perm } from '../api/accounts.ts'
import { call, encode, json, signIn } from '../api/client.ts'
import { type OwnServer, uniqueName } from '../api/harness.ts'
import { type Link, linkTo, load, viewShare, withPassword } from '../api/links-client.ts'
import type { App } from './app.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { longPress } from './finger.ts'
import { becomeOther, expect, test } from './fixtures.ts'

test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

const HOUR = 3600
const now = () => Date.now() / 1000
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const linkField = (app: App) => app.dialog.getByRole('textbox', { name: 'Link', exact: true })
const expiry = (app: App) => app.dialog.getByRole('combobox', { name: 'Expires' })
const create = (app: App) => app.dialog.getByRole('button', { name: 'Create link' })

const linksOf = async (server: OwnServer, token: string, path: string): Promise<Link[]> =>
  json(await call(server, `/api/share${encode(path)}`, { token }))

test.beforeEach(async ({ corner }) => {
  await writeFile(join(corner.disk, 'a #1 100%.txt'), 'alpha')
  await mkdir(join(corner.disk, 'folder'))
})

async function openDialog(app: App, name: string): Promise<void> {
  await app.row(name).click()
  await app.button('Share').click()
  await expect(app.dialog).toContainText(`Share “${name}”`)
}

test('a link is made with the mouse: it is copied and focused, with its QR code next to it', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  await app.openFolder(corner.path)
  await openDialog(app, 'a #1 100%.txt')
  await expect(app.dialog.getByText('Permanent link.', { exact: true })).toBeVisible()
  await expect(app.dialog.getByText('Anyone with the link can open it.')).toBeVisible()
  await create(app).click()

  await expect(page.getByText('Link copied')).toBeVisible()
  await expect(linkField(app)).toBeFocused()
  const [link] = await linksOf(server, token, `${corner.path}/a #1 100%.txt`)
  expect(link).toMatchObject({ expire: 0, hasPassword: false })
  await expect(linkField(app)).toHaveValue(`${server.url}/share/${link?.hash}`)
  await expect.poll(() => clipboard(page)).toBe(`${server.url}/share/${link?.hash}`)
  const code = app.dialog.getByRole('img', { name: /QR code/ })
  await expect.poll(() => code.boundingBox()).toMatchObject({ width: 200, height: 200 })
  await expect(app.dialog.getByText('Permanent', { exact: true })).toBeVisible()
})

test('a link is made with the keyboard alone, with an expiry and a password', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  await app.openFolder(corner.path)
  await expect(app.row('folder')).toBeFocused()
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.type('Share')
  await page.keyboard.press('Enter')
  await expect(expiry(app)).toBeFocused()
  await page.keyboard.type('In 1')
  await expect(app.dialog.getByText(/^Expires tomorrow /)).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.type('  open sesame ')
  await expect(app.dialog.getByText('The password is required to open it.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(linkField(app)).toBeFocused()
  await expect(app.dialog.getByText('Password-protected')).toBeVisible()

  const [link] = await linksOf(server, token, `${corner.path}/folder`)
  expect(Math.abs((link?.expire ?? 0) - now() - 24 * HOUR)).toBeLessThan(60)
  expect(link?.path).toBe(`${corner.path}/folder/`)
  const right = await viewShare(server, link?.hash ?? '', '', '', { 'X-SHARE-PASSWORD': 'open%20sesame' })
  expect(right.status).toBe(200)

  await page.keyboard.press('Escape')
  await expect(app.dialog).toHaveCount(0)
  await expect(app.row('folder')).toBeFocused()
})

test('several items get one link: they are copied into a folder that the user names', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  await mkdir(join(corner.disk, 'For grandma'))
  await app.openFolder(corner.path)
  await app.row('a #1 100%.txt').click()
  await app.row('folder').click({ modifiers: ['Control'] })
  await app.button('Share').click()
  await expect(app.dialog).toContainText('Share 2 items')
  await page.keyboard.type('For grandma')
  await page.keyboard.press('Enter')
  await expect(app.dialog).toContainText('already')

  await app.dialog.getByRole('textbox').fill('For two')
  await page.keyboard.press('Enter')
  await expect(app.dialog).toContainText('Share “For two”')
  await create(app).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  const [link] = await linksOf(server, token, `${corner.path}/For two`)
  const { items }: { items: { name: string }[] } = json(await viewShare(server, link?.hash ?? ''))
  expect(items.map(({ name }) => name).toSorted()).toEqual(['a #1 100%.txt', 'folder'])
})

test('a link expires at the chosen moment', async ({ app, corner, server, token }) => {
  await app.openFolder(corner.path)
  await openDialog(app, 'folder')
  await expiry(app).selectOption('On a date…')
  const field = app.dialog.getByLabel('Expires on')
  // Only the day remains to be chosen.
  await expect(field).toHaveValue(/^\d{4}-\d\d-\d\dT23:59$/)
  await field.fill('')
  await create(app).click()
  await expect(app.dialog.getByText('Please enter a date and a time.')).toBeVisible()
  await field.fill('2020-01-01T10:00')
  await create(app).click()
  await expect(app.dialog.getByText('That time has passed.')).toBeVisible()
  await field.fill('2099-05-06T14:05')
  await create(app).click()
  await expect(linkField(app)).toBeFocused()
  const [link] = await linksOf(server, token, `${corner.path}/folder`)
  const wanted = await field.page().evaluate(() => new Date('2099-05-06T14:05').getTime() / 1000)
  expect(Math.abs((link?.expire ?? 0) - wanted)).toBeLessThan(60)
})

test('a password that is too long is refused at its field, and no input is lost', async ({
  app,
  corner,
  server,
  token,
}) => {
  await app.openFolder(corner.path)
  await openDialog(app, 'folder')
  await expiry(app).selectOption('In 7 days')
  const password = app.dialog.getByLabel('Password', { exact: true })
  await password.fill('x'.repeat(2000))
  await create(app).click()
  await expect(app.dialog.getByText('This password is too long.')).toBeVisible()
  await expect(password).toBeFocused()
  await expect(password).toHaveAttribute('aria-invalid', 'true')
  await expect(expiry(app)).toHaveValue('7')
  expect(await linksOf(server, token, `${corner.path}/folder`)).toEqual([])
})

test('a link gets another end, password and name, a number of downloads, and keeps its address', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  const { hash } = await linkTo(server, token, `${corner.path}/folder/`, {
    expires: '5',
    unit: 'days',
    password: 'first',
  })
  await app.openFolder(corner.path)
  await openDialog(app, 'folder')
  await app.button('Change link').click()
  await expect(expiry(app)).toBeFocused()
  await expectAccessibleInBoth(page)
  await expiry(app).selectOption('Never')
  await app.dialog.getByLabel('Password', { exact: true }).fill('second')
  await app.button('Save').click()
  await expect(linkField(app)).toHaveValue(`${server.url}/share/${hash}`)
  await expect(app.dialog.getByText('Permanent', { exact: true })).toBeVisible()
  expect((await viewShare(server, hash, '', '', { 'X-SHARE-PASSWORD': 'first' })).status).toBe(401)
  expect((await viewShare(server, hash, '', '', { 'X-SHARE-PASSWORD': 'second' })).status).toBe(200)

  await app.button('Change link').click()
  await app.dialog.getByText('More options').click()
  const name = app.dialog.getByLabel('Name in the address')
  await name.fill('no spaces')
  await app.button('Save').click()
  await expect(app.dialog.getByText('Use 3 to 64 letters a–z, digits and hyphens.')).toBeVisible()
  const slug = `trip-${uniqueName('e')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '-')}`
  await name.fill(slug)
  await app.dialog.getByLabel('Number of downloads').fill('1')
  await app.button('Save').click()
  await expect(linkField(app)).toHaveValue(`${server.url}/share/~${slug}`)
  await expect(app.dialog.getByText('0 of 1 downloads')).toBeVisible()

  const visitor = await page.context().newPage()
  await visitor.goto(`${server.url}/share/~${slug}`)
  await visitor.getByRole('textbox', { name: 'Password' }).fill('second')
  await visitor.getByRole('button', { name: 'Open' }).click()
  await expect(visitor.getByText('1 download left')).toBeVisible()
  const { token: ticket } = json(await viewShare(server, hash, '', '', { 'X-SHARE-PASSWORD': 'second' }))
  expect((await load(server, hash, '/', `?token=${ticket}`)).status).toBe(200)
  await visitor.reload()
  await expect(visitor.getByRole('heading', { name: 'This link has been used up' })).toBeVisible()
  await visitor.close()

  await app.dialog.getByRole('button', { name: 'Visits' }).click()
  await expect(app.dialog.getByText('Downloaded', { exact: true })).toBeVisible()
  await expect(app.dialog.getByText('Opened', { exact: true }).first()).toBeVisible()
  await expectAccessibleInBoth(page)
  await app.dialog.getByRole('button', { name: 'Close' }).last().click()
  await app.button('Change link').click()
  await app.dialog.getByRole('checkbox', { name: 'Require a password' }).uncheck()
  await expect(app.dialog.getByText('Anyone with the link can open it.')).toBeVisible()
  await app.button('Save').click()
  await expect(app.dialog.getByText('A link with a name in its address needs a password.')).toBeVisible()
  await name.fill('')
  await app.dialog.getByLabel('Number of downloads').fill('')
  await app.button('Save').click()
  await expect(app.dialog.getByText('Password-protected')).toHaveCount(0)
  expect((await viewShare(server, hash)).status).toBe(200)
  await app.button('Copy link').click()
  await expect.poll(() => clipboard(page)).toBe(`${server.url}/share/${hash}`)
})

test('the open folder is shared from its own menu', async ({ app, page, corner, server, token }) => {
  await app.openFolder(`${corner.path}/folder`)
  await app.button('Actions').click()
  await page.getByRole('menuitem', { name: 'Share this folder' }).click()
  await expect(app.dialog).toContainText('Share “folder”')
  await create(app).click()
  await expect(app.dialog.getByText('View and download')).toBeVisible()
  await expect.poll(() => linksOf(server, token, `${corner.path}/folder`)).toHaveLength(1)
  await app.openFolder('')
  await app.button('Actions').click()
  await expect(page.getByRole('menuitem', { name: 'Refresh' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Share this folder' })).toHaveCount(0)
})

test('existing links come first, and are paused; New opens the form, and Cancel returns', async ({
  app,
  corner,
  server,
  token,
}) => {
  const { hash } = await linkTo(server, token, `${corner.path}/folder/`, { expires: '5', unit: 'days', password: 'x' })
  await app.openFolder(corner.path)
  await openDialog(app, 'folder')
  await expect(linkField(app)).toHaveValue(`${server.url}/share/${hash}`)
  await expect(app.dialog.getByText(/^Expires in [45] days\u00A0· \w+ \d+, \d{4}, /)).toBeVisible()
  await app.button('New link').click()
  await expect(expiry(app)).toBeFocused()
  await app.button('Cancel').click()
  await expect(linkField(app)).toHaveValue(`${server.url}/share/${hash}`)
  await app.button('QR code').click()
  await expect(app.dialog.getByRole('img', { name: /QR code/ })).toBeVisible()
  await app.button('Pause link').click()
  await expect(app.dialog.getByText('Paused', { exact: true })).toBeVisible()
  expect((await viewShare(server, hash, '', '', withPassword('x'))).status).toBe(403)
  await app.button('Resume link').click()
  await expect(app.dialog.getByText('Paused', { exact: true })).toBeHidden()
  expect((await viewShare(server, hash, '', '', withPassword('x'))).status).toBe(200)
})

test('a long name of a link stays within a narrow dialog', async ({ app, page, corner, server, token }) => {
  const label = 'a-name-without-a-space'.repeat(3)
  await linkTo(server, token, `${corner.path}/folder/`, { label })
  await page.setViewportSize({ width: 390, height: 800 })
  await app.openFolder(corner.path)
  await openDialog(app, 'folder')
  const name = app.dialog.getByText(label)
  await expect(name).toBeVisible()
  const edges = () => name.evaluate(it => it.getBoundingClientRect().right < self.innerWidth)
  await expect.poll(edges).toBe(true)
})

test('a link is deleted after a question that Enter confirms', async ({ app, page, corner, server, token }) => {
  const { hash } = await linkTo(server, token, `${corner.path}/folder/`)
  await app.openFolder(corner.path)
  const mark = app.row('folder').getByRole('img', { name: 'Shared by link' })
  await expect(mark).toBeVisible()
  await openDialog(app, 'folder')
  await app.button('Delete link').click()
  await expect(app.dialog).toContainText('Delete this link?')
  await expectAccessibleInBoth(page)
  await app.button('Cancel').click()
  await expect(linkField(app)).toBeVisible()
  await app.button('Delete link').click()
  await app.confirmDelete()
  await expect(page.getByText('Share deleted')).toBeVisible()
  await expect(create(app)).toBeVisible()
  await expect(mark).toHaveCount(0)
  expect((await viewShare(server, hash)).status).toBe(404)
})

test('without a connection no input is lost', async ({ app, page, corner, server, token }) => {
  await app.openFolder(corner.path)
  await openDialog(app, 'folder')
  await expiry(app).selectOption('In 7 days')
  await app.goOffline()
  await create(app).click()
  await expect(app.dialog.getByRole('alert')).toHaveText('The server is not reachable.')
  await expect(expiry(app)).toHaveValue('7')
  await page.context().setOffline(false)
  await create(app).click()
  await expect(linkField(app)).toBeFocused()
  expect(await linksOf(server, token, `${corner.path}/folder`)).toHaveLength(1)
})

test('the link is copied where the page may not use the clipboard API', async ({ app, page, corner }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await app.openFolder(corner.path)
  await openDialog(app, 'folder')
  await create(app).click()
  await expect(linkField(app)).toBeFocused()
  const url = await linkField(app).inputValue()
  await app.button('New link').click()
  await app.dialog.getByLabel('Password', { exact: true }).press('Control+v')
  await expect(app.dialog.getByLabel('Password', { exact: true })).toHaveValue(url)
})

test('a user without the right to share is not offered links', async ({ app, page, corner, server }) => {
  const name = uniqueName('reader')
  const admin = await manager(server)
  await admin.add(name, { scope: corner.path, perm: perm('download', 'create') })
  const own = await signIn(server, name, GOOD_PASSWORD)
  await becomeOther(page, own)
  await app.openFolder('')
  await app.row('folder').click()
  await expect(app.button('Clear selection')).toBeVisible()
  await expect(app.button('Share')).toHaveCount(0)
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true })

  test('a link is made', async ({ app, corner, server, token }) => {
    await app.openFolder(corner.path)
    await longPress(app.row('folder'))
    await app.button('Share').tap()
    await expiry(app).selectOption('In 1 day')
    await create(app).tap()
    await expect(linkField(app)).toHaveValue(/\/share\//)
    expect(await linksOf(server, token, `${corner.path}/folder`)).toHaveLength(1)
    // The small buttons share one line.
    const [, ...small] = await app.dialog.getByRole('listitem').getByRole('button').all()
    expect(small.length).toBeGreaterThan(3)
    expect(new Set(await Promise.all(small.map(async button => (await button.boundingBox())?.y))).size).toBe(1)
  })
})
