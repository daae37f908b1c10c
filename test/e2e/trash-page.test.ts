import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { call } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import { expectAccessible } from './axe.ts'
import { longPress } from './finger.ts'
import { type Corner, expect, test } from './fixtures.ts'

/** Deletes items of a corner, in order, by the API. */
async function remove(server: OwnServer, token: string, corner: Corner, ...names: string[]): Promise<void> {
  for (const name of names) {
    const answer = await call(server, `/api/resources${corner.path}/${encodeURIComponent(name)}`, {
      method: 'DELETE',
      token,
    })
    expect(answer.status).toBe(204)
  }
}

/** Opens the trash from a corner, and shows only what was in it. */
async function openTrash(page: Page, corner: Corner): Promise<void> {
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.getByRole('button', { name: `In “${corner.name}”` }).click()
}

test('an item is restored from the trash by the keyboard, and shown in its folder', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  for (const name of ['a.txt', 'b.txt']) await writeFile(join(corner.disk, name), name)
  await remove(server, token, corner, 'a.txt', 'b.txt')
  await app.openFolder(corner.path)
  await openTrash(page, corner)
  await expect.poll(() => app.names()).toEqual(['b.txt', 'a.txt'])
  await expectAccessible(page)
  await app.row('b.txt').focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => readdir(corner.disk)).toEqual(['a.txt'])
  await expect.poll(() => app.names()).toEqual(['b.txt'])
  await app.button('Show').click()
  await expect(app.row('a.txt')).toBeFocused()
})

test('the offer to undo a deletion goes once all its items are restored from the trash', async ({
  app,
  page,
  corner,
}) => {
  for (const name of ['a.txt', 'b.txt']) await writeFile(join(corner.disk, name), name)
  const offer = page.getByRole('status').filter({ hasText: 'Moved 2 items to the trash' })
  await app.openFolder(corner.path)
  await expect(app.rows).toHaveCount(2)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Delete')
  await expect(offer).toBeVisible()
  // Under the pointer it stays.
  await app.button('Undo').hover()
  await page.getByRole('link', { name: 'Trash' }).press('Enter')
  await page.getByRole('button', { name: `In “${corner.name}”` }).press('Enter')
  await expect(app.rows).toHaveCount(2)
  const [first = '', second = ''] = await app.names()
  await app.row(first).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+Enter')
  await expect.poll(() => readdir(corner.disk)).toEqual([second])
  await expect.poll(() => app.names()).toEqual([first])
  // The other item can still be brought back.
  await expect(offer).toBeVisible()
  await app.row(first).focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+Enter')
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['a.txt', 'b.txt'])
  await expect(offer).toHaveCount(0)
})

test('a folder in the trash is browsed, a file in it is read, and a part is restored', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  await mkdir(join(corner.disk, 'tree/inner'), { recursive: true })
  await writeFile(join(corner.disk, 'tree/inner/note.txt'), 'kept words')
  await writeFile(join(corner.disk, 'tree/other.txt'), 'other')
  await remove(server, token, corner, 'tree')
  await app.openFolder(corner.path)
  await openTrash(page, corner)
  await app.row('tree').dblclick()
  await expect.poll(() => app.names()).toEqual(['inner', 'other.txt'])
  await app.row('inner').dblclick()
  await app.row('note.txt').dblclick()
  await expect(page.getByText('kept words')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect.poll(() => readFile(join(corner.disk, 'tree/inner/note.txt'), 'utf8').catch(() => '')).toBe('kept words')
  expect(existsSync(join(corner.disk, 'tree/other.txt'))).toBe(false)
})

test('a taken name is asked about before an item is restored', async ({ app, page, corner, server, token }) => {
  await writeFile(join(corner.disk, 'asked-about.txt'), 'old')
  await remove(server, token, corner, 'asked-about.txt')
  await writeFile(join(corner.disk, 'asked-about.txt'), 'new')
  await app.openFolder(corner.path)
  await openTrash(page, corner)
  await app.row('asked-about.txt').click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect(app.dialog).toContainText('asked-about.txt')
  await app.confirm()
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['asked-about(1).txt', 'asked-about.txt'])
  expect(await readFile(join(corner.disk, 'asked-about.txt'), 'utf8')).toBe('new')
})

test('of a folder that merges into another one, each taken name is asked about', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  const plant = async (content: string, ...names: string[]) => {
    await mkdir(join(corner.disk, 'trip/day'), { recursive: true })
    for (const name of names) await writeFile(join(corner.disk, 'trip', name), content)
  }
  await plant('old', 'day/a.txt', 'b.txt', 'c.txt')
  await remove(server, token, corner, 'trip')
  await plant('new', 'day/a.txt', 'b.txt')
  await app.openFolder(corner.path)
  await openTrash(page, corner)
  await app.row('trip').click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await app.dialog.getByLabel('Action for trip/day/a.txt').selectOption('Replace')
  await app.dialog.getByLabel('Action for trip/b.txt').selectOption('Skip')
  await expectAccessible(page)
  await app.button('Continue').click()
  const read = (name: string) => readFile(join(corner.disk, 'trip', name), 'utf8').catch(() => '')
  await expect.poll(() => read('day/a.txt')).toBe('old')
  expect(await read('b.txt')).toBe('new')
  expect((await readdir(join(corner.disk, 'trip'))).sort()).toEqual(['b.txt', 'c.txt', 'day'])
})

test('items of the trash are found by name, and deleted permanently after a question', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  for (const name of ['apple.txt', 'pear.txt']) await writeFile(join(corner.disk, name), name)
  await remove(server, token, corner, 'apple.txt', 'pear.txt')
  await app.openFolder(corner.path)
  await openTrash(page, corner)
  await expect.poll(() => app.names()).toEqual(['pear.txt', 'apple.txt'])
  await page.keyboard.press('/')
  await page.keyboard.type('PEA')
  await expect.poll(() => app.names()).toEqual(['pear.txt'])
  await app.row('pear.txt').click()
  await page.keyboard.press('Delete')
  await expect(page.getByRole('alertdialog', { name: 'Delete “pear.txt” permanently?' })).toBeVisible()
  await app.confirmDelete()
  await expect(page.getByText('No items match “PEA”')).toBeVisible()
})

test('a notice leaves the last line of the page readable', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'a.txt'), 'a')
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await app.deleteByKey()
  const notice = page.getByText('Moved “a.txt” to the trash')
  await expect(notice).toBeVisible()
  await notice.hover()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Trash' }).press('Enter')
  const { y = 0 } = (await page.getByText('What other programs delete').boundingBox()) ?? {}
  const { y: top = 0, height = 0 } = (await notice.boundingBox()) ?? {}
  expect(top + height).toBeLessThanOrEqual(y)
})

test('emptying the trash asks, and leaves nothing of it', async ({ app, page, corner, server, token }) => {
  await writeFile(join(corner.disk, 'a.txt'), 'a')
  await remove(server, token, corner, 'a.txt')
  await app.openFolder(corner.path)
  await page.getByRole('link', { name: 'Trash' }).click()
  await app.button('Empty trash…').click()
  await expect(page.getByRole('alertdialog', { name: 'Empty the trash?' })).toBeVisible()
  await app.confirmDelete()
  await expect(page.getByText('The trash is empty')).toBeVisible()
  await expectAccessible(page)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true })

  test('the bar at the bottom restores what is selected', async ({ app, page, corner, server, token }) => {
    await writeFile(join(corner.disk, 'phone.txt'), 'a')
    await remove(server, token, corner, 'phone.txt')
    await app.open('/trash/')
    await longPress(app.row('phone.txt'))
    await expectAccessible(page)
    await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Restore' }).tap()
    await expect.poll(() => readdir(corner.disk)).toEqual(['phone.txt'])
  })
})
