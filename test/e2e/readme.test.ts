import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from './app.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'

const noteOf = (app: App, name = 'README.md') => app.page.getByRole('region', { name, exact: true })

test('the README of a folder is rendered below its listing, with links and images of this server only', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'plans'))
  const text = '# Welcome\n\n[Plans](plans/) ![logo](https://example.com/x.png) <script>alert(1)</script>\n'
  await writeFile(join(corner.disk, 'README.md'), text)
  await app.openFolder(corner.path)
  const note = noteOf(app)
  await expect(note.getByRole('heading', { name: 'Welcome' })).toBeVisible()
  await expect(note.locator('script, img[src^="http"]')).toHaveCount(0)
  await expectAccessibleInBoth(page)
  await note.getByRole('link', { name: 'Plans' }).click()
  await expect(page).toHaveURL(/\/plans\/$/)
  await expect(noteOf(app)).toHaveCount(0)
})

test('a README stays collapsed or hidden until the profile shows it again', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'README.txt'), 'plain <b>text</b>')
  await app.openFolder(corner.path)
  const note = noteOf(app, 'README.txt').first()
  await expect(note.getByText('plain <b>text</b>')).toBeVisible()
  await note.getByRole('button', { name: 'README.txt' }).click()
  await app.openFolder(corner.path)
  await expect(note.getByRole('button', { name: 'README.txt' })).toHaveAttribute('aria-expanded', 'false')
  await expect(note.getByText('plain <b>text</b>')).toHaveCount(0)
  await note.getByRole('button', { name: 'Hide notes of folders' }).click()
  await expect(note).toHaveCount(0)
  await app.openFolder(corner.path)
  await expect(app.row('README.txt')).toBeVisible()
  await expect(note).toHaveCount(0)
  await app.open('/settings/profile')
  await page.getByLabel('Notes of folders (README)').selectOption('Shown')
  await app.openFolder(corner.path)
  await expect(note.getByText('plain <b>text</b>')).toBeVisible()
})

test('a note is added to a folder, and shown there', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'a.txt'), 'a')
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox')).toBeFocused()
  await page.keyboard.type('Folder note')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/README\.md/)
  await expect.poll(() => readFile(join(corner.disk, 'README.md'), 'utf8').catch(() => undefined)).toBe('')
})

test('a README above 256 KiB is not rendered', async ({ app, corner }) => {
  await writeFile(join(corner.disk, 'README.md'), 'x'.repeat(256 * 1024 + 1))
  await app.openFolder(corner.path)
  await expect(noteOf(app).getByText('This note is too large to be shown here.')).toBeVisible()
})
