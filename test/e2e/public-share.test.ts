import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { linkTo } from '../api/links-client.ts'
import { unpack } from '../api/unpack.ts'
import type { App } from './app.ts'
import { test as base, type Corner, expect } from './fixtures.ts'
import { heading, password, test } from './visitor.ts'

/** A one-pixel image. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function fill({ disk }: Corner): Promise<void> {
  await mkdir(join(disk, 'docs/sub/inner'), { recursive: true })
  await writeFile(join(disk, 'docs/one.txt'), 'one')
  await writeFile(join(disk, 'docs/a, b + 100%.txt'), 'odd')
  await writeFile(join(disk, 'docs/sub/two.txt'), 'two')
  await writeFile(join(disk, 'docs/sub/picture.png'), PNG)
}

const downloadAll = (app: App) => app.page.getByRole('button', { name: /^Download all/ })
const box = (app: App, name: string) => app.row(name).getByRole('checkbox')

/** Waits for a download and returns its name and bytes. */
async function downloaded(page: Page, act: () => Promise<unknown>): Promise<{ name: string; bytes: Buffer }> {
  const [download] = await Promise.all([page.waitForEvent('download'), act()])
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

test('a shared folder shows its content and is navigated into its folders and back', async ({
  app,
  page,
  corner,
  shareLink,
}) => {
  await fill(corner)
  const link = await shareLink('/docs/')
  await app.open(link)
  await expect(heading(app)).toHaveText('docs')
  await expect(page).toHaveTitle('docs – Filigree')
  await expect(page.getByText('3 items', { exact: true })).toBeVisible()
  await expect.poll(() => app.names()).toEqual(['sub', 'a, b + 100%.txt', 'one.txt'])
  await expect(page.getByRole('navigation', { name: 'Main navigation' })).toHaveCount(0)

  await app.row('sub').click()
  await app.isAt(`${link}/sub`)
  await expect(heading(app)).toHaveText('sub')
  await expect(page).toHaveTitle('sub – Filigree')
  await app.row('picture.png').click()
  const shownImage = page.getByRole('img', { name: 'picture.png' })
  await expect.poll(() => shownImage.evaluate(image => image instanceof HTMLImageElement && image.naturalWidth)).toBe(1)
  await page.keyboard.press('ArrowRight')
  await expect(heading(app)).toHaveText('two.txt')
  await page.keyboard.press('Escape')
  await expect(heading(app)).toHaveText('sub')
  await expect(app.row('picture.png')).toBeFocused()
  await app.breadcrumb.getByRole('link', { name: 'docs' }).click()
  await expect(heading(app)).toHaveText('docs')
})

test('the keyboard alone enters a folder, goes back, selects and downloads', async ({
  app,
  page,
  corner,
  shareLink,
}) => {
  await fill(corner)
  const link = await shareLink('/docs/')
  await app.open(link)
  await expect(app.row('sub')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(app.row('inner')).toBeFocused()
  await page.keyboard.press('Backspace')
  await expect(app.row('sub')).toBeFocused()
  await page.keyboard.press('End')
  await expect.poll(() => app.selected()).toEqual(['one.txt'])
  const button = app.button('Download selected')
  const isFocused = () => button.evaluate(element => element === document.activeElement)
  for (let step = 0; step < 10 && !(await isFocused()); step += 1) await page.keyboard.press('Shift+Tab')
  const { bytes } = await downloaded(page, () => page.keyboard.press('Enter'))
  expect(bytes.toString()).toBe('one')
  await page.keyboard.press('Escape')
  await expect.poll(() => app.selected()).toEqual([])
  await expect(app.row('one.txt')).toBeFocused()
  await page.keyboard.press('Control+a')
  await expect.poll(() => app.selected()).toHaveLength(3)
})

test('a selected file is downloaded at once', async ({ app, page, corner, shareLink }) => {
  await fill(corner)
  await app.open(await shareLink('/docs/'))
  await box(app, 'a, b + 100%.txt').click()
  const { name, bytes } = await downloaded(page, () => app.button('Download selected').click())
  expect([name, bytes.toString()]).toEqual(['a, b + 100%.txt', 'odd'])
})

test('several items are downloaded as zip at once, or in the chosen format, whatever their names', async ({
  app,
  page,
  corner,
  shareLink,
}) => {
  await fill(corner)
  await app.open(await shareLink('/docs/'))
  await app.button('Select').click()
  await app.row('a, b + 100%.txt').click()
  await app.row('sub').click()
  await expect.poll(() => app.selected()).toEqual(['sub', 'a, b + 100%.txt'])
  const zip = await downloaded(page, () => app.button('Download selected').click())
  expect(Object.keys(await unpack(zip.bytes, '.zip'))).toContain('a, b + 100%.txt')
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Other formats' }).click()
  const { name, bytes } = await downloaded(page, () => page.getByRole('menuitem', { name: 'tar.gz' }).click())
  expect(name).toMatch(/\.tar\.gz$/)
  const content = await unpack(bytes, '.tar.gz')
  expect(
    Object.keys(content)
      .filter(entry => !entry.endsWith('/'))
      .sort(),
  ).toEqual(['a, b + 100%.txt', 'sub/picture.png', 'sub/two.txt'])
  await page.keyboard.press('Escape')
  await expect.poll(() => app.selected()).toEqual([])
})

test('the whole folder is downloaded as zip by one click, and with the keyboard in another format', async ({
  app,
  page,
  corner,
  shareLink,
}) => {
  await fill(corner)
  await app.open(`${await shareLink('/docs/')}/sub`)
  const { name, bytes } = await downloaded(page, () => downloadAll(app).click())
  expect(name).toMatch(/\.zip$/)
  expect(await unpack(bytes, '.zip')).toMatchObject({ 'two.txt': 'two' })
  await expect(app.dialog).toHaveCount(0)

  await downloadAll(app).focus()
  await page.keyboard.press('Tab')
  await expect(app.button('Other formats')).toBeFocused()
  const before = await app.grid.boundingBox()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem')).toHaveCount(8)
  expect(await app.grid.boundingBox()).toEqual(before)
  await page.keyboard.type('tar.gz')
  const tar = await downloaded(page, () => page.keyboard.press('Enter'))
  expect(await unpack(tar.bytes, '.tar.gz')).toMatchObject({ 'two.txt': 'two' })
  await expect(app.button('Other formats')).toBeFocused()
})

test('a password is requested once, and wrong ones are reported', async ({ app, page, corner, shareLink }) => {
  await fill(corner)
  const link = await shareLink('/docs/', { password: 'öffne dich+' })
  await app.open(link)
  await expect(password(app)).toBeFocused()
  await expect(page).toHaveTitle('Share – Filigree')
  await expect(page.getByText('one.txt')).toHaveCount(0)
  await page.keyboard.type('wrong')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Wrong credentials' })).toBeVisible()
  await expect(password(app)).toHaveValue('wrong')
  await page.keyboard.type('öffne dich+')
  await page.keyboard.press('Enter')
  await expect(app.row('one.txt')).toBeVisible()

  await app.row('sub').click()
  await box(app, 'two.txt').click()
  const file = await downloaded(page, () => app.button('Download selected').click())
  expect(file.bytes.toString()).toBe('two')
  await page.keyboard.press('Escape')
  await app.row('two.txt').click()
  await expect(page.getByRole('region', { name: 'two.txt' })).toHaveText('two')
  await page.reload()
  await expect(heading(app)).toHaveText('two.txt')
  await app.button('Close').click()
  await expect(heading(app)).toHaveText('sub')
  await app.breadcrumb.getByRole('link', { name: 'docs' }).click()
  const { bytes } = await downloaded(page, () => downloadAll(app).click())
  expect(await unpack(bytes, '.zip')).toMatchObject({ 'one.txt': 'one' })
})

test('after too many wrong passwords the time to wait is shown', async ({ app, page, corner, shareLink }) => {
  await writeFile(join(corner.disk, 'locked.txt'), 'x')
  const link = await shareLink('/locked.txt', { password: 'right' })
  const headers = { 'X-SHARE-PASSWORD': 'wrong' }
  const call = app.url + link.replace('/share/', '/api/public/share/')
  await Promise.all(Array.from({ length: 10 }, () => page.request.get(call, { headers })))
  await app.open(link)
  await password(app).fill('right')
  await app.button('Open').click()
  await expect(
    page.getByRole('alert').filter({ hasText: /Too many attempts\. Try again in \d+ seconds?/ }),
  ).toBeVisible()
  await expect(password(app)).toHaveValue('right')
})

test('a hundred items are shown first, and a hundred more at a time', async ({ app, page, corner, shareLink }) => {
  await mkdir(join(corner.disk, 'many'))
  await Promise.all(Array.from({ length: 250 }, (_, at) => writeFile(join(corner.disk, 'many', `${at}.txt`), '')))
  await app.open(await shareLink('/many/'))
  await expect(page.getByText('250 items', { exact: true })).toBeVisible()
  await expect(app.grid).toHaveAttribute('aria-rowcount', '101')
  await expect(page.getByText('100 of 250 shown')).toBeVisible()
  await app.button('Show 100 more').click()
  await expect(app.grid).toHaveAttribute('aria-rowcount', '201')
  await app.button('Show 50 more').click()
  await expect(app.grid).toHaveAttribute('aria-rowcount', '251')
  await expect(page.getByRole('button', { name: /^Show / })).toHaveCount(0)
  await expect(app.row('0.txt')).toBeFocused()
})

test('folders and files of any name are opened, also by their address, and downloaded', async ({
  app,
  page,
  corner,
  shareLink,
}) => {
  const names = ['a#b?c', '100% + %41', ' two  spaces ', 'line\nbreak', '"<i>&amp;']
  for (const name of names) {
    await mkdir(join(corner.disk, 'odd', name), { recursive: true })
    await writeFile(join(corner.disk, 'odd', name, `${name}.txt`), name)
  }
  const link = await shareLink('/odd/')
  for (const name of names) {
    await app.open(link)
    await app.row(name).click()
    await app.isAt(`${link}/${name}`)
    await app.rows.first().click()
    await app.isAt(`${link}/${name}/${name}.txt`)
    await page.reload()
    await expect.poll(() => page.locator('pre').textContent()).toBe(name)
    const { bytes } = await downloaded(page, () => page.getByRole('link', { name: 'Download' }).click())
    expect(bytes.toString()).toBe(name)
  }
})

test('a shared file is shown on the page; one that cannot be shown can be downloaded', async ({
  app,
  page,
  corner,
  shareLink,
}) => {
  await writeFile(join(corner.disk, 'read me.txt'), 'first line\n<b>second</b>')
  await writeFile(join(corner.disk, 'data.bin'), randomBytes(3000))
  await writeFile(join(corner.disk, 'broken.png'), 'no picture')
  await app.open(await shareLink('/read me.txt'))
  await expect(page.locator('pre')).toHaveText('first line\n<b>second</b>')
  await app.open(await shareLink('/broken.png'))
  await expect(page.getByText("damaged, or its type doesn't match its name")).toBeVisible()
  await app.open(await shareLink('/data.bin'))
  await expect(page.getByText('No preview')).toBeVisible()
  await expect(page.getByText('2.9 KiB')).toBeVisible()
  const { name, bytes } = await downloaded(page, () => page.getByRole('link', { name: 'Download' }).click())
  expect([name, bytes.length]).toEqual(['data.bin', 3000])
})

test('an unknown share link shows a plain sentence', async ({ app, page }) => {
  await app.open('/share/nothing-of-the-kind')
  await expect(heading(app)).toHaveText('This link no longer works')
  await expect(page.getByText('The link may have expired')).toBeVisible()
})

test('without a connection the page says so and recovers', async ({ app, page, corner, shareLink }) => {
  await fill(corner)
  await app.open(await shareLink('/docs/'))
  await expect(app.row('sub')).toBeVisible()
  await page.context().setOffline(true)
  await app.row('sub').click()
  await expect(heading(app)).toHaveText('The server is not reachable.', { timeout: 20_000 })
  await page.context().setOffline(false)
  await expect(app.row('two.txt')).toBeVisible()
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true })

  test('taps open, and in selection mode they select', async ({ app, page, corner, shareLink }) => {
    await fill(corner)
    await app.open(await shareLink('/docs/'))
    await app.row('sub').tap()
    await expect(app.row('two.txt')).toBeVisible()
    await app.breadcrumb.getByRole('link', { name: 'docs' }).tap()
    await app.button('Select').tap()
    await app.row('one.txt').tap()
    await app.row('sub').tap()
    await app.row('sub').tap()
    await expect.poll(() => app.selected()).toEqual(['one.txt'])
    const { bytes } = await downloaded(page, () => app.button('Download selected').tap())
    expect(bytes.toString()).toBe('one')
    await app.button('Clear selection').tap()
    await expect(app.breadcrumb).toBeVisible()
  })
})

base('a signed-in user sees the same page', async ({ app, corner, server, token }) => {
  await fill(corner)
  const { hash } = await linkTo(server, token, `${corner.path}/docs/`)
  await app.open(`/share/${hash}`)
  await expect(app.row('one.txt')).toBeVisible()
  await expect(app.button('Sidebar')).toHaveCount(0)
})
