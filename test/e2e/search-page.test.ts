import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessibleInBoth, expectNoSidewaysScroll } from './axe.ts'
import { expect, test } from './fixtures.ts'

const results = (page: Page) => page.getByRole('grid', { name: 'Search results' })
const names = (page: Page) => results(page).locator('[data-row-link]').allTextContents()
const menu = (page: Page, name: string | RegExp) =>
  page.locator('main [aria-haspopup=menu]').and(page.getByRole('button', { name })).first()
const choice = (page: Page, name: string) => page.getByRole('menuitemradio', { name, exact: true })

test('the page of results has columns that sort, menus for size and time, and links to the folders', async ({
  app,
  page,
  corner,
}) => {
  const old = new Date('2024-05-06T12:00Z')
  await mkdir(join(corner.disk, 'Ledgers/2024'), { recursive: true })
  for (const [name, bytes] of [
    ['Ledgers/ledger a.txt', 3_000_000],
    ['Ledgers/2024/ledger b.txt', 10],
    ['Ledgers/2024/ledger c.txt', 2_000_000],
  ] as const)
    await writeFile(join(corner.disk, name), Buffer.alloc(bytes))
  await utimes(join(corner.disk, 'Ledgers/2024/ledger b.txt'), old, old)
  await app.open(`/search?q=ledger&in=${encodeURIComponent(`${corner.path}/Ledgers`)}`)

  const header = (name: string) => results(page).getByRole('columnheader', { name })
  await header('Size').getByRole('button').click()
  await expect.poll(() => names(page)).toEqual(['ledger b.txt', 'ledger c.txt', 'ledger a.txt'])
  await expect(header('Size')).toHaveAttribute('aria-sort', 'ascending')
  await expect(results(page).getByRole('row').filter({ hasText: 'ledger a.txt' })).toContainText('2.9 MiB')

  await menu(page, 'Size').click()
  await choice(page, 'Larger than 1 MiB').click()
  await expect.poll(() => names(page)).toEqual(['ledger c.txt', 'ledger a.txt'])
  await expect(page).toHaveURL(/q=size%3A%3E1MB/)
  await menu(page, /^Size/).click()
  await choice(page, 'Any size').click()
  await menu(page, 'Last modified').click()
  await choice(page, 'Custom range…').click()
  await page.getByLabel('From').fill('2024-05-06')
  await page.getByLabel('To', { exact: true }).fill('2024-05-06')
  await expect.poll(() => names(page)).toEqual(['ledger b.txt'])
  await expectAccessibleInBoth(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)

  await results(page)
    .getByRole('link', { name: /Ledgers\/2024$/ })
    .click()
  await app.isAt(`/files${corner.path}/Ledgers/2024/`)
  await expect(app.row('ledger b.txt')).toBeFocused()
})

test('the field of the top bar is empty again where no results are shown', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'Ledgers'))
  await app.open(`/search?q=ledgers&in=${encodeURIComponent(corner.path)}`)
  const field = page.getByRole('searchbox')
  await expect(field).toHaveValue('ledgers')
  await results(page).getByText('Ledgers', { exact: true }).first().dblclick()
  await app.isAt(`/files${corner.path}/Ledgers/`)
  await expect(field).toHaveValue('')
  await page.goBack()
  await expect(field).toHaveValue('ledgers')
})

test('a page opened by its address has each style sheet once, so that the parts come after what they change', async ({
  app,
  page,
}) => {
  await app.open('/search?q=ledger')
  await expect(menu(page, 'Size')).toBeVisible()
  await page.getByRole('button', { name: /^Account: / }).click()
  await expect(page.getByRole('menuitem', { name: 'Log out' })).toBeVisible()
  const sheets = await page
    .locator('link[rel=stylesheet]')
    .evaluateAll(links => links.map(link => link.getAttribute('href')?.split('/').pop()))
  expect(sheets).toEqual([...new Set(sheets)])
  await expect(menu(page, 'Size')).not.toHaveCSS('border-top-color', 'rgba(0, 0, 0, 0)')
})

test('a search without results leads to the text of files and back, and files of a year are found', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'Letters'))
  await writeFile(join(corner.disk, 'Letters/plain.txt'), 'a quillworthy sentence')
  const lastYear = new Date().getFullYear() - 1
  const old = new Date(lastYear, 5, 1)
  await utimes(join(corner.disk, 'Letters/plain.txt'), old, old)
  await app.open(`/search?q=quillworthy&in=${encodeURIComponent(`${corner.path}/Letters`)}`)
  await app.button('Search contents').click()
  await expect.poll(() => names(page)).toEqual(['plain.txt'])
  await menu(page, 'Last modified').click()
  await choice(page, String(lastYear - 1)).click()
  await app.button('Search names').click()
  await expect(page).not.toHaveURL(/contents/)
  await app.open(`/search?q=plain&in=${encodeURIComponent(`${corner.path}/Letters`)}`)
  await menu(page, 'Last modified').click()
  await choice(page, String(lastYear)).click()
  await expect.poll(() => names(page)).toEqual(['plain.txt'])
  await expect(menu(page, /^Last modified/)).toHaveText(String(lastYear))
})

test('a search is saved with its filters, found in the sidebar, renamed and removed', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'Sagas'))
  await writeFile(join(corner.disk, 'Sagas/saga.txt'), 'x')
  await app.open(`/search?q=${encodeURIComponent('size:<1MB saga')}&in=${encodeURIComponent(corner.path)}`)
  await expect.poll(() => names(page)).toEqual(['saga.txt'])
  await app.button('Save search').click()
  const name = page.locator('main').getByRole('textbox', { name: 'Name' })
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('saga\u00A0· <1MB')
  await name.fill(`Sagas of ${corner.name}`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: `Sagas of ${corner.name}` })).toBeFocused()

  await app.openFolder(corner.path)
  const places = page.getByRole('list', { name: 'Saved searches' })
  await places.getByRole('link', { name: `Sagas of ${corner.name}` }).click()
  await expect.poll(() => names(page)).toEqual(['saga.txt'])
  await expect(places.getByRole('link', { name: `Sagas of ${corner.name}` })).toHaveAttribute('aria-current', 'page')
  await expectAccessibleInBoth(page)
  await page.locator('main').getByRole('button', { name: 'Rename' }).click()
  await name.fill(`Tales of ${corner.name}`)
  await page.keyboard.press('Enter')
  await expect(places.getByRole('link', { name: `Tales of ${corner.name}` })).toBeVisible()
  await app.button('Remove saved search').click()
  await expect(page.getByRole('heading', { name: 'Search results' })).toBeVisible()
  await expect(places.getByRole('link', { name: `Tales of ${corner.name}` })).toHaveCount(0)
})
