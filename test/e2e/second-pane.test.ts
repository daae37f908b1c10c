import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessibleInBoth } from './axe.ts'
import { type Corner, expect, test } from './fixtures.ts'

const pane = (page: Page) => page.getByRole('region', { name: 'Second pane' })
const row = (page: Page, name: string) => pane(page).getByRole('row').filter({ hasText: name })
const rows = (page: Page) => pane(page).locator('[data-row-link]').allTextContents()

/** A row of the first pane, which shows the folder Inbox. */
const first = (page: Page, name: string) =>
  page.getByRole('grid', { name: 'Files in Inbox' }).getByRole('row').filter({ hasText: name })

/** Leads the second pane from the folder Inbox to the one above. */
async function goUp(page: Page): Promise<void> {
  await row(page, 'a.txt').click()
  await page.keyboard.press('Backspace')
  await expect.poll(() => rows(page)).toEqual(['Inbox', 'Sorted'])
}

async function fill({ disk }: Corner): Promise<void> {
  await mkdir(join(disk, 'Inbox'))
  await mkdir(join(disk, 'Sorted/Bills'), { recursive: true })
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(join(disk, 'Inbox', name), name)
}

test.beforeEach(async ({ page, corner }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await fill(corner)
})

test('F3 opens a second pane, in which folders are browsed by keys without leaving the page', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(`${corner.path}/Inbox`)
  await page.keyboard.press('F3')
  await expect.poll(() => rows(page)).toEqual(['a.txt', 'b.txt', 'c.txt'])
  await expectAccessibleInBoth(page)
  await row(page, 'a.txt').click()
  await page.keyboard.press('Backspace')
  await expect.poll(() => rows(page)).toEqual(['Inbox', 'Sorted'])
  await expect(row(page, 'Inbox')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect.poll(() => rows(page)).toEqual(['Bills'])
  await app.isAt(`/files${corner.path}/Inbox/`)
  await page.keyboard.press('F3')
  await expect(pane(page)).toBeHidden()
})

test('keys in the second pane never act on what is selected in the first', async ({ app, page, corner }) => {
  await app.openFolder(`${corner.path}/Inbox`)
  await page.keyboard.press('F3')
  await goUp(page)
  await first(page, 'a.txt').click()
  await row(page, 'Sorted').click()
  for (const keys of ['Delete', 'F2', 'Control+x', 'Shift+Delete']) await page.keyboard.press(keys)
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.keyboard.press('Control+a')
  await expect(pane(page).getByRole('status')).toHaveText('2 selected')
  expect(await readdir(join(corner.disk, 'Inbox'))).toEqual(['a.txt', 'b.txt', 'c.txt'])
  expect(await readdir(corner.disk)).toEqual(['Inbox', 'Sorted'])
})

test('items are moved and copied between the panes by buttons and by dragging', async ({ app, page, corner }) => {
  const inbox = () => readdir(join(corner.disk, 'Inbox'))
  const act = (name: string) => pane(page).getByRole('button', { name }).click()
  await app.openFolder(`${corner.path}/Inbox`)
  await page.keyboard.press('F3')
  await goUp(page)
  await row(page, 'Sorted').dblclick()
  await expect.poll(() => rows(page)).toEqual(['Bills'])

  await first(page, 'a.txt').click()
  await act('Copy to “Sorted”')
  await expect.poll(() => rows(page)).toEqual(['Bills', 'a.txt'])
  await first(page, 'b.txt').click()
  await act('Move to “Sorted”')
  await expect.poll(() => rows(page)).toEqual(['Bills', 'a.txt', 'b.txt'])
  await expect.poll(inbox).toEqual(['a.txt', 'c.txt'])

  await row(page, 'b.txt').click()
  await act('Move to “Inbox”')
  await expect.poll(inbox).toEqual(['a.txt', 'b.txt', 'c.txt'])

  await expect(first(page, 'b.txt')).toBeVisible()
  await expect(row(page, 'b.txt')).toBeHidden()
  await first(page, 'c.txt').getByText('c.txt').dragTo(row(page, 'Bills'))
  await expect.poll(() => readdir(join(corner.disk, 'Sorted/Bills'))).toEqual(['c.txt'])

  await act('Swap panes')
  await app.isAt(`/files${corner.path}/Sorted/`)
  await expect.poll(() => rows(page)).toEqual(['a.txt', 'b.txt'])
})

test('a window that is too narrow for two panes shows one', async ({ app, page, corner }) => {
  await app.openFolder(`${corner.path}/Inbox`)
  await page.keyboard.press('F3')
  await expect(pane(page)).toBeVisible()
  await page.setViewportSize({ width: 700, height: 800 })
  await expect(pane(page)).toBeHidden()
})
