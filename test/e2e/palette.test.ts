import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manager } from '../api/accounts.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'

test.beforeEach(async ({ app, corner }) => {
  await mkdir(join(corner.disk, 'folder'))
  await writeFile(join(corner.disk, `folder/note-${corner.name}.txt`), 'x')
  await writeFile(join(corner.disk, 'a.bin'), Buffer.from([0]))
  await app.openFolder(corner.path)
})

test('a command is found by a few letters and run, with the keyboard alone', async ({ app, page }) => {
  await expect(app.row('folder')).toBeFocused()
  await page.keyboard.press('Control+k')
  const field = app.dialog.getByRole('combobox', { name: 'Find files, settings and commands' })
  await expect(field).toBeFocused()
  await page.keyboard.type('newfol')
  const options = app.dialog.getByRole('option')
  await expect(options.first()).toContainText('New folder')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(app.naming.getByLabel('Folder name')).toBeFocused()
})

test('letters typed while it loads for the first time are not lost', async ({ app, page }) => {
  const gate = Promise.withResolvers<void>()
  await page.route(/\/assets\/palette-[^/]+\.js$/, async route => {
    await gate.promise
    await route.continue()
  })
  await page.reload()
  await expect(app.row('folder')).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('newfol')
  gate.resolve()
  await expect(app.dialog.getByRole('combobox')).toHaveValue('newfol')
  await expect(app.dialog.getByRole('option').first()).toContainText('New folder')
  await page.keyboard.press('Enter')
  await expect(app.naming.getByLabel('Folder name')).toBeFocused()
})

test('a command is chosen with the mouse; unavailable commands are not listed', async ({ app, page }) => {
  await page.keyboard.press('Control+k')
  const options = app.dialog.getByRole('group', { name: 'Commands' }).getByRole('option')
  await expect(options.filter({ hasText: 'View: Gallery' })).toBeVisible()
  await expect(options.filter({ hasText: 'Delete' })).toHaveCount(0)
  await options.filter({ hasText: 'Select all' }).click()
  await expect(app.dialog).toHaveCount(0)
  await expect.poll(() => app.selected()).toEqual(['folder', 'a.bin'])
  await page.keyboard.press('Control+k')
  await expect(options.filter({ hasText: /^Delete(?! perm)/ })).toBeVisible()
})

test('arrows move among the commands, Escape cancels', async ({ app, page }) => {
  await expect(app.row('folder')).toBeFocused()
  await page.keyboard.press('Control+k')
  const options = app.dialog.getByRole('option')
  await expect(options.first()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await expect(options.nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(options.last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.type('zzz')
  await expect(app.dialog.getByText('Nothing found.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(app.dialog).toHaveCount(0)
  await expect(app.row('folder')).toBeFocused()
})

test('files, folders and pages are found, opened with Enter, and listed again among the recent ones', async ({
  app,
  page,
  corner,
  context,
}) => {
  const note = `note-${corner.name}`
  await page.keyboard.press('Control+k')
  await expect(app.dialog.getByRole('combobox')).toBeFocused()
  await page.keyboard.type(note)
  const files = app.dialog.getByRole('group', { name: 'My files' }).getByRole('option')
  await expect(files).toHaveText([`${note}.txt${corner.name}/folder`])
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Enter')
  await app.isAt(`/files${corner.path}/folder/${note}.txt`)
  await expect(page.getByRole('toolbar', { name: 'Actions' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(app.row(`${note}.txt`)).toBeFocused()

  await page.keyboard.press('Control+k')
  await expect(app.dialog.getByRole('group', { name: 'Recent' }).getByRole('option').first()).toContainText(note)
  await page.keyboard.type(`>${note}`)
  await expect(app.dialog.getByText('Nothing found.')).toBeVisible()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('users')
  const pages = app.dialog.getByRole('option').filter({ hasText: 'Settings: Users' })
  await expect(pages).toHaveAttribute('aria-selected', 'true')
  const other = context.waitForEvent('page')
  await page.keyboard.press('Control+Enter')
  await (await other).close()
  await page.keyboard.press('Control+k')
  await expect(app.dialog.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('users')
  await expect(pages).toBeVisible()
  await page.keyboard.press('Enter')
  await app.isAt('/settings/users')
})

test('administrators find accounts by their names, and open their settings', async ({ app, page, server, corner }) => {
  const name = `maria-${corner.name}`
  const id = await (await manager(server)).add(name, {})
  await page.keyboard.press('Control+k')
  await expect(app.dialog.getByRole('combobox')).toBeFocused()
  await page.keyboard.type(name)
  const users = app.dialog.getByRole('group', { name: 'Users' }).getByRole('option')
  await expect(users).toHaveText([name])
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Enter')
  await app.isAt(`/settings/users/${id}`)
})

test('the help shows every key of the actions and of the parts of the page', async ({ app, page }) => {
  await expect(app.row('folder')).toBeFocused()
  await page.keyboard.press('?')
  await expect(app.dialog).toContainText('Keyboard shortcuts')
  for (const text of [
    'Ctrl+K',
    'F6',
    'Ctrl+A',
    'Ctrl+Shift+2',
    'Ctrl+Space',
    'Double click',
    'Shift+F10',
    'Full screen',
  ])
    await expect(app.dialog).toContainText(text)
})

test('the account menu opens the list of keys', async ({ app, page }) => {
  await app.openAccountMenu()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await expect(app.dialog.getByRole('heading', { name: 'Keyboard shortcuts' })).toBeVisible()
})

test('F6 goes through the parts of the page and returns to the start', async ({ app, page }) => {
  await app.row('a.bin').click()
  await page.keyboard.press('Shift+F6')
  await expect(page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link').first()).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('F6')
  await expect(app.row('a.bin')).toBeFocused()
  await page.keyboard.press('Shift+F6')
  await expect(
    page.getByRole('navigation', { name: 'Main navigation' }).getByRole('button', { name: 'New', exact: true }),
  ).toBeFocused()
})
