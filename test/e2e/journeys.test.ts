import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GOOD_PASSWORD, manager, newcomer, OTHER_PASSWORD, perm } from '../api/accounts.ts'
import { login } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { linkTo } from '../api/links-client.ts'
import { becomeOther, type Corner, expect, test } from './fixtures.ts'

const PERM = perm('create', 'delete', 'download', 'modify', 'rename', 'share')

/** A user whose scope is the corner. */
const owner = async (server: OwnServer, corner: Corner) =>
  newcomer(server, await manager(server), { scope: corner.path, perm: PERM })

test('with the keyboard alone details, colours, profile and links are used, and a password is given', async ({
  app,
  page,
  corner,
  server,
}) => {
  await writeFile(join(corner.disk, 'a.txt'), 'content')
  const { token, name } = await owner(server, corner)
  const { hash } = await linkTo(server, token, '/a.txt', { password: 'copper anvil' })
  await becomeOther(page, token)
  const { keyboard } = page
  await app.openFolder('')
  await expect(app.row('a.txt')).toBeFocused()
  await keyboard.press('Home')
  await keyboard.press('Control+i')
  const details = page.getByRole('complementary', { name: 'Details' })
  await expect(details.getByRole('img', { name: 'Password-protected' })).toBeVisible()
  await keyboard.press('Control+i')
  await expect(details).toHaveCount(0)

  await app.button(`Account: ${name}`).focus()
  await keyboard.press('Enter')
  await expect(app.choice('Dark')).toBeVisible()
  await keyboard.type('Dark')
  await keyboard.press('Enter')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

  await app.open(`/share/${hash}`)
  await page.getByLabel('Password', { exact: true }).focus()
  await keyboard.type('copper anvil')
  await keyboard.press('Enter')
  await expect(page.getByText('content', { exact: true })).toBeVisible()

  await app.open('/settings/profile')
  await page.getByLabel('Hide files that start with a dot').focus()
  await keyboard.press('Space')
  await keyboard.press('Enter')
  await expect(page.getByText('Settings updated')).toBeVisible()

  await app.open('/settings/shares')
  await app.button('Delete the link to /a.txt').focus()
  await keyboard.press('Enter')
  await app.confirmDelete()
  await expect(page.getByText('Share deleted')).toBeVisible()
})

test.describe('by touch on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('an item is deleted, a command and the help are found, and colours and password are changed', async ({
    app,
    page,
    corner,
    server,
  }) => {
    for (const name of ['gone.txt', 'kept.txt']) await writeFile(join(corner.disk, name), '')
    const { token, name } = await owner(server, corner)
    await becomeOther(page, token)
    await app.openFolder('')
    await app.row('gone.txt').getByRole('button', { name: 'Actions for gone.txt' }).tap()
    await page.getByRole('menuitem', { name: /^Delete(?! perm)/ }).tap()
    await app.confirmWithoutTrash()
    await expect.poll(() => readdir(corner.disk)).toEqual(['kept.txt'])

    await app.button(`Account: ${name}`).tap()
    await page.getByRole('menuitem', { name: 'Commands' }).tap()
    await app.dialog.getByRole('combobox', { name: 'Find files, settings and commands' }).fill('select all')
    await app.dialog.getByRole('option', { name: 'Select all' }).tap()
    await expect.poll(() => app.selected()).toEqual(['kept.txt'])
    await app.button('Clear selection').tap()

    await app.button('Sidebar').tap()
    await app.button('Help').tap()
    await expect(app.dialog.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeVisible()
    await app.dialog.getByRole('button', { name: 'Close' }).first().tap()
    await app.button(`Account: ${name}`).tap()
    await app.choice('Dark').tap()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')

    await app.open('/settings/security')
    await page.getByLabel('New password', { exact: true }).fill(OTHER_PASSWORD)
    await page.getByLabel('Confirm new password').fill(OTHER_PASSWORD)
    const card = page.locator('form').filter({ has: page.getByLabel('Confirm new password') })
    await card.getByRole('button', { name: 'Update' }).tap()
    await expect(page.getByText('Password updated')).toBeVisible()
    expect((await login(server, name, GOOD_PASSWORD)).status).toBe(403)
  })
})
