import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { call, encode, json } from '../api/client.ts'
import { type Link, linkTo } from '../api/links-client.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { carry, hold } from './carry.ts'
import { expect, test } from './fixtures.ts'
import { localFolder } from './trees.ts'
import { area, typeInstead } from './typing.ts'
import { visit } from './visitor.ts'

/** Waits until something can be dragged. */
const dragLoaded = (page: Page) => expect(page.locator('[role=row] [draggable=true]').first()).toBeVisible()

const DESK = { width: 1280, height: 800 }

test('a file is given to edit: a visitor says who they are, changes it, and the owner sees their name', async ({
  app,
  page,
  corner,
  server,
  token,
  browser,
}) => {
  const file = join(corner.disk, 'plan.txt')
  await writeFile(file, 'old plan\r\n')
  await app.openFolder(corner.path)
  await app.row('plan.txt').click()
  await app.button('Share').click()
  await app.dialog.getByRole('radio', { name: /^Edit together/ }).check()
  await expect(app.dialog.getByRole('radio', { name: /^Send files/ })).toHaveCount(0)
  await expect(app.dialog.getByRole('checkbox', { name: 'Rename' })).toHaveCount(0)
  await app.dialog.getByText('More options').click()
  await app.dialog.getByRole('combobox', { name: 'Name of the visitor' }).selectOption('Required')
  await expect(app.dialog.getByRole('status').last()).toContainText('Change the file')
  await expectAccessibleInBoth(page)
  await app.dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(app.dialog.getByText(/^Edit together: View and download.*Change the file/)).toBeVisible()
  const [link]: Link[] = json(await call(server, `/api/share${encode(`${corner.path}/plan.txt`)}`, { token }))
  expect(link).toMatchObject({ kind: 'edit', rights: ['modify'], sender: 'required' })
  await page.keyboard.press('Escape')

  const visitor = await visit(browser, server.url, link?.hash ?? '')
  await visitor.button('Edit').click()
  await visitor.dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(visitor.dialog).toContainText('Please enter your name.')
  await expectAccessibleInBoth(visitor.page)
  await visitor.dialog.getByLabel('Your name').fill('Zoë')
  await visitor.page.keyboard.press('Enter')
  await typeInstead(visitor.page, 'new plan\n')
  await expectAccessibleInBoth(visitor.page)
  await visitor.button('Save').click()
  await expect.poll(() => readFile(file, 'utf8')).toBe('new plan\r\n')
  await expect(visitor.page.getByText('Unsaved changes')).toHaveCount(0)
  await visitor.page.getByRole('main').getByRole('button', { name: 'Close' }).click()
  await expect(visitor.page.getByRole('region', { name: 'plan.txt' })).toContainText('new plan')
  // The name is known now.
  await visitor.button('Edit').click()
  await expect(area(visitor.page)).toBeFocused()
  await visitor.page.context().close()

  await app.open('/history/')
  const line = page.getByRole('listitem').filter({ hasText: 'plan.txt' }).first()
  await expect(line).toContainText('Zoë (visitor)')
})

test('a text that was saved in the meantime is compared, and neither text is lost', async ({
  corner,
  server,
  token,
  browser,
}) => {
  await mkdir(join(corner.disk, 'team'))
  const file = join(corner.disk, 'team/notes.txt')
  await writeFile(file, 'first')
  const { hash } = await linkTo(server, token, `${corner.path}/team/`, { kind: 'edit', rights: ['modify'] })
  const visitor = await visit(browser, server.url, hash, DESK)
  await visitor.row('notes.txt').click()
  await visitor.button('Edit').click()
  await expect(area(visitor.page)).toBeFocused()
  await writeFile(file, 'of the owner')
  await typeInstead(visitor.page, 'of the visitor')
  await visitor.page.keyboard.press('Control+s')
  await expect(visitor.dialog).toContainText('Someone else saved this file after you opened it.')
  await expectAccessibleInBoth(visitor.page)
  await visitor.dialog.getByRole('button', { name: 'Keep editing' }).click()
  expect(await readFile(file, 'utf8')).toBe('of the owner')
  await visitor.page.keyboard.press('Control+s')
  await visitor.dialog.getByRole('button', { name: 'Overwrite' }).click()
  await expect.poll(() => readFile(file, 'utf8')).toBe('of the visitor')

  await typeInstead(visitor.page, 'not saved')
  await visitor.page.getByRole('main').getByRole('button', { name: 'Close' }).click()
  await expect(visitor.dialog).toContainText('Save your changes to notes.txt?')
  await visitor.dialog.getByRole('button', { name: 'Discard' }).click()
  await expect(visitor.button('Edit')).toBeVisible()
  expect(await readFile(file, 'utf8')).toBe('of the visitor')
  await visitor.page.context().close()
})

test('items are moved within the shared folder, by the tree of its folders', async ({
  corner,
  server,
  token,
  browser,
}) => {
  await mkdir(join(corner.disk, 'team/Archive/Old'), { recursive: true })
  await mkdir(join(corner.disk, 'team/Drafts'))
  for (const name of ['a.txt', 'b.txt', 'Archive/b.txt']) await writeFile(join(corner.disk, 'team', name), name)
  const given = { kind: 'edit', rights: ['rename'], sender: 'optional' }
  const { hash } = await linkTo(server, token, `${corner.path}/team/`, given)
  const visitor = await visit(browser, server.url, hash)
  await visitor.button('Select').click()
  await visitor.row('a.txt').click()
  await visitor.row('b.txt').click()
  await visitor.button('Move').click()
  await visitor.dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(visitor.dialog).toContainText('Move 2 items')
  await expect(visitor.dialog).toContainText('They are already here.')
  await visitor.dialog.getByRole('treeitem', { name: 'Archive' }).click()
  await expectAccessibleInBoth(visitor.page)
  await visitor.dialog.getByRole('button', { name: 'Move' }).click()
  await expect(visitor.page.getByText('Something named “b.txt” is already here.')).toBeVisible()
  expect((await readdir(join(corner.disk, 'team/Archive'))).sort()).toEqual(['Old', 'a.txt', 'b.txt'])
  expect(await readFile(join(corner.disk, 'team/Archive/b.txt'), 'utf8')).toBe('Archive/b.txt')
  await expect(visitor.row('a.txt')).toHaveCount(0)

  await visitor.page.keyboard.press('Escape')
  await visitor.page.getByRole('button', { name: /No name given/ }).click()
  await visitor.dialog.getByLabel('Your name').fill('Ben')
  await visitor.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(visitor.page.getByRole('button', { name: /Your name.*Ben/ })).toBeVisible()
  await expectAccessibleInBoth(visitor.page)
  await visitor.button('Select').click()
  await visitor.row('Drafts').click()
  await visitor.button('Move').click()
  await visitor.page.keyboard.press('ArrowDown')
  await visitor.page.keyboard.press('Enter')
  await expect(visitor.row('Drafts')).toHaveCount(0)
  const { items } = json(await call(server, `/api/activity${encode(`${corner.path}/team`)}`, { token }))
  expect(items.map((item: { visitor: string }) => item.visitor)).toEqual(['Ben', ''])
  await visitor.page.context().close()
})

test('a visitor makes the folder that items are moved to', async ({ corner, server, token, browser }) => {
  await mkdir(join(corner.disk, 'team/Archive/Old'), { recursive: true })
  await writeFile(join(corner.disk, 'team/a.txt'), 'a')
  const { hash } = await linkTo(server, token, `${corner.path}/team/`, { kind: 'edit', rights: ['create', 'rename'] })
  const visitor = await visit(browser, server.url, hash)
  await visitor.button('Select').click()
  await visitor.row('a.txt').click()
  await visitor.button('Move').click()
  await visitor.dialog.getByRole('treeitem', { name: 'Archive' }).click()
  await visitor.dialog.getByRole('button', { name: 'New folder' }).click()
  const name = visitor.dialog.getByLabel('Folder name')
  await name.fill('Old')
  await visitor.page.keyboard.press('Enter')
  await expect(visitor.dialog).toContainText('Something named “Old” is already here.')
  await expectAccessibleInBoth(visitor.page)
  await name.fill('Older')
  await visitor.page.keyboard.press('Enter')
  await expect(visitor.dialog.getByRole('treeitem', { name: 'Older' })).toHaveAttribute('aria-selected', 'true')
  await expect(visitor.dialog.getByRole('treeitem', { name: 'Older' })).toBeFocused()
  await visitor.page.keyboard.press('Enter')
  await expect(visitor.row('a.txt')).toHaveCount(0)
  expect(await readFile(join(corner.disk, 'team/Archive/Older/a.txt'), 'utf8')).toBe('a')
  await visitor.page.context().close()
})

test('a visitor drags the selection into a folder, and an item onto the breadcrumb', async ({
  corner,
  server,
  token,
  browser,
}) => {
  await mkdir(join(corner.disk, 'team/Archive/Old'), { recursive: true })
  for (const name of ['a.txt', 'b.txt']) await writeFile(join(corner.disk, 'team', name), name)
  const given = { kind: 'edit', rights: ['rename'], sender: 'required' }
  const { hash } = await linkTo(server, token, `${corner.path}/team/`, given)
  const visitor = await visit(browser, server.url, hash, DESK)
  const { page } = visitor
  await dragLoaded(page)
  const nameOf = (item: string) => visitor.row(item).getByRole('link')
  for (const name of ['a.txt', 'b.txt']) await visitor.row(name).getByRole('checkbox').click()
  await carry(page, nameOf('a.txt'), visitor.row('Archive'))
  await visitor.dialog.getByLabel('Your name').fill('Zoë')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Moved 2 items to “Archive”')).toBeVisible()
  expect((await readdir(join(corner.disk, 'team/Archive'))).sort()).toEqual(['Old', 'a.txt', 'b.txt'])

  // A folder opens below an item that rests on it, and does not take itself.
  await nameOf('Archive').click()
  await expect(visitor.row('a.txt')).toBeVisible()
  await carry(page, nameOf('Old'), visitor.row('Old'))
  await hold(page, nameOf('a.txt'), visitor.row('Old'))
  await expect(visitor.breadcrumb.getByText('Old')).toBeVisible()
  const team = visitor.breadcrumb.getByRole('link', { name: 'team' })
  await team.hover()
  await team.hover()
  await page.mouse.up()
  await expect(page.getByText('Moved “a.txt” to “team”')).toBeVisible()
  expect((await readdir(join(corner.disk, 'team'))).sort()).toEqual(['Archive', 'a.txt'])
  expect((await readdir(join(corner.disk, 'team/Archive'))).sort()).toEqual(['Old', 'b.txt'])
  await page.context().close()
})

test('nothing is dragged where a link does not let its visitors move', async ({ corner, server, token, browser }) => {
  await mkdir(join(corner.disk, 'team/Archive'), { recursive: true })
  await writeFile(join(corner.disk, 'team/a.txt'), 'a')
  const { hash } = await linkTo(server, token, `${corner.path}/team/`, { kind: 'edit', rights: ['create'] })
  const visitor = await visit(browser, server.url, hash, DESK)
  await expect(visitor.button('New folder')).toBeVisible()
  await visitor.row('a.txt').getByRole('checkbox').click()
  await carry(visitor.page, visitor.row('a.txt').getByRole('link'), visitor.row('Archive'))
  await expect(visitor.row('a.txt')).toBeVisible()
  expect(await readdir(join(corner.disk, 'team/Archive'))).toEqual([])
  await visitor.page.context().close()
})

test('files of the desktop are uploaded to the folder on which they are dropped', async ({
  corner,
  server,
  token,
  browser,
}) => {
  await mkdir(join(corner.disk, 'team/Archive'), { recursive: true })
  const { hash } = await linkTo(server, token, `${corner.path}/team/`, { kind: 'edit', rights: ['create'] })
  const visitor = await visit(browser, server.url, hash, DESK)
  const { page } = visitor
  await expect(visitor.button('New folder')).toBeVisible()
  const local = await localFolder(corner.name)
  await writeFile(join(local.path, 'from desk.txt'), 'desk')
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [join(local.path, 'from desk.txt')], dragOperationsMask: 1 }
  const { x = 0, y = 0, height = 0 } = (await visitor.row('Archive').boundingBox()) ?? {}
  const drag = (type: 'dragEnter' | 'dragOver' | 'drop') =>
    session.send('Input.dispatchDragEvent', { type, x: x + 200, y: y + height / 2, data })
  await drag('dragEnter')
  await drag('dragOver')
  await expect(page.getByText('Drop to upload to “Archive”')).toBeVisible()
  await drag('drop')
  await expect.poll(() => readdir(join(corner.disk, 'team/Archive'))).toEqual(['from desk.txt'])
  await local.remove()
  await page.context().close()
})
