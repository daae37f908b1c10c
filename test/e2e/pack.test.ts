import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unpack } from '../api/unpack.ts'
import { expect, test } from './fixtures.ts'

test.beforeEach(async ({ corner }) => {
  await mkdir(join(corner.disk, 'trip/empty'), { recursive: true })
  await writeFile(join(corner.disk, 'trip/day.txt'), 'a day')
  await writeFile(join(corner.disk, 'note.txt'), 'a note')
})

test('with the mouse several items become an archive of the chosen format, and it can be undone', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  await app.row('trip').click()
  await app.row('note.txt').click({ modifiers: ['Control'] })
  await app.row('note.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Compress…' }).click()
  await expect(app.dialog).toContainText('Compress 2 items')
  await expect(app.dialog.getByLabel('File name')).toHaveValue(corner.name)
  await app.dialog.getByLabel('Format').selectOption('tar.gz')
  await app.dialog.getByLabel('File name').fill('both')
  await app.dialog.getByRole('button', { name: 'Create' }).click()
  await expect(app.row('both.tar.gz')).toBeVisible()
  const archive = await readFile(join(corner.disk, 'both.tar.gz'))
  expect(await unpack(archive, '.tar.gz')).toEqual({
    'note.txt': 'a note',
    'trip/': '',
    'trip/day.txt': 'a day',
    'trip/empty/': '',
  })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(app.row('both.tar.gz')).toHaveCount(0)
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['note.txt', 'trip'])
})

test('with the keyboard alone: a taken name is reported at once, and the input stays', async ({
  app,
  page,
  corner,
}) => {
  await writeFile(join(corner.disk, 'old.zip'), 'stays')
  await app.openFolder(corner.path)
  await app.row('trip').focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem', { name: 'Compress…' })).toBeVisible()
  await page.keyboard.type('Com')
  await expect(page.getByRole('menuitem', { name: 'Compress…' })).toBeFocused()
  await page.keyboard.press('Enter')
  const name = app.dialog.getByLabel('File name')
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('trip')
  await page.keyboard.type('old')
  await page.keyboard.press('Enter')
  await expect(app.dialog).toContainText('Something named “old.zip” is already here.')
  await expect(name).toBeFocused()
  await expect(name).toHaveValue('old')
  await page.keyboard.press('End')
  await page.keyboard.type('er')
  await page.keyboard.press('Enter')
  await expect(app.row('older.zip')).toBeVisible()
  await expect(app.row('trip')).toBeFocused()
  expect(Object.keys(await unpack(await readFile(join(corner.disk, 'older.zip')), '.zip'))).toContain('trip/day.txt')
  expect(await readFile(join(corner.disk, 'old.zip'), 'utf8')).toBe('stays')
})

test('a name taken a moment ago prompts again', async ({ app, page, corner }) => {
  await app.openFolder(corner.path)
  await app.row('trip').click()
  await app.row('trip').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Compress…' }).click()
  await page.route('**/api/jobs', async route => {
    if (route.request().method() === 'POST') await writeFile(join(corner.disk, 'trip.zip'), 'of another user')
    await route.continue()
  })
  await app.confirm()
  await expect(app.dialog).toContainText('Something named “trip.zip” is already here.')
  await expect(app.dialog.getByLabel('File name')).toHaveValue('trip')
  expect(await readFile(join(corner.disk, 'trip.zip'), 'utf8')).toBe('of another user')
})

test('a large archive is a job that shows its progress and leaves nothing when it is cancelled', async ({
  app,
  page,
  corner,
}) => {
  await writeFile(join(corner.disk, 'trip/film.bin'), randomBytes(80_000_000))
  await app.openFolder(corner.path)
  await app.row('trip').click()
  await app.row('trip').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Compress…' }).click()
  await app.dialog.getByLabel('Format').selectOption('tar.xz')
  await app.dialog.getByRole('button', { name: 'Create' }).click()
  const jobs = page.getByRole('region', { name: 'Jobs' })
  await expect(jobs).toContainText('Creating trip.tar.xz')
  await expect(jobs).toContainText(/MiB of 76\.3\sMiB/)
  await page.reload()
  await jobs.getByRole('button', { name: 'Cancel: Creating trip.tar.xz' }).click()
  await expect(jobs).toContainText('Cancelled')
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['note.txt', 'trip'])
})

test.describe('by touch on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a folder becomes an archive next to it', async ({ app, page, corner }) => {
    await app.openFolder(corner.path)
    await app.row('trip').getByRole('button', { name: 'Actions for trip' }).tap()
    await page.getByRole('menuitem', { name: 'Compress…' }).tap()
    await app.dialog.getByRole('button', { name: 'Create' }).tap()
    await expect(app.row('trip.zip')).toBeVisible()
    expect(Object.keys(await unpack(await readFile(join(corner.disk, 'trip.zip')), '.zip'))).toContain('trip/day.txt')
  })
})
