import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { GOOD_PASSWORD, manager } from '../api/accounts.ts'
import { json } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { jobsOf } from '../api/jobs-client.ts'
import type { App } from './app.ts'
import { longPress } from './finger.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

/** An entry of the sheet of a row. */
async function onRow(app: App, page: Page, name: string, entry: string): Promise<void> {
  await app
    .row(name)
    .getByRole('button', { name: `Actions for ${name}` })
    .tap()
  await page.getByRole('menuitem', { name: new RegExp(`^${entry}`) }).tap()
}

test('the card of jobs covers no button of the selection bar', async ({ app, page, corner, server, token }) => {
  await writeFile(join(corner.disk, 'a.txt'), 'a')
  const jobs = jobsOf(server, { token })
  const items = [{ from: `${corner.path}/a.txt`, to: `${corner.path}/b.txt` }]
  const answer = await jobs.ask({ kind: 'copy', items, runAt: new Date().toISOString() })
  const { id } = await jobs.ended(json(answer).id)
  await app.openFolder(corner.path)
  await longPress(app.row('a.txt'))
  const finished = page.getByText(/jobs? finished/)
  // A job that was done when the page opened is behind the button.
  await expect(async () => {
    if (!(await finished.isVisible())) await page.getByRole('button', { name: /^Jobs/ }).tap({ timeout: 5000 })
    await expect(finished).toBeVisible({ timeout: 5000 })
  }).toPass()
  await app.button('Move to…').tap()
  await expect(app.dialog).toBeVisible()
  await jobs.forget(id)
})

test('by touch files are created, uploaded, renamed, copied, moved, viewed and downloaded', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'target'))
  await app.openFolder(corner.path)
  await app.button('New').tap()
  await page.getByRole('menuitem', { name: 'New file' }).tap()
  await app.dialog.getByRole('textbox').fill('made.txt')
  await app.dialog.getByRole('button', { name: 'Create' }).tap()
  await expect(app.row('made.txt')).toBeVisible()

  await app.button('Clear selection').tap()
  await app.button('New').tap()
  const chooser = page.waitForEvent('filechooser')
  await page
    .getByRole('menuitem', { name: /^Upload/ })
    .first()
    .tap()
  await (await chooser).setFiles({ name: 'sent.bin', mimeType: '', buffer: Buffer.from('sent') })
  await expect(app.row('sent.bin')).toBeVisible()

  await onRow(app, page, 'sent.bin', 'Rename')
  await app.dialog.getByRole('textbox').fill('kept.bin')
  await app.dialog.getByRole('button', { name: 'Rename' }).tap()
  await expect(app.row('kept.bin')).toBeVisible()

  for (const [entry, button] of [
    ['Copy to…', 'Copy'],
    ['Move to…', 'Move'],
  ] as const) {
    await onRow(app, page, entry === 'Copy to…' ? 'kept.bin' : 'made.txt', entry)
    await app.dialog.getByRole('treeitem', { name: 'target' }).tap()
    await app.dialog.getByRole('button', { name: button, exact: true }).tap()
    await expect(app.dialog).toHaveCount(0)
  }
  await expect(app.row('made.txt')).toHaveCount(0)
  await expect
    .poll(async () => (await readdir(join(corner.disk, 'target'))).toSorted())
    .toEqual(['kept.bin', 'made.txt'])

  await onRow(app, page, 'kept.bin', 'Details')
  await expect(app.dialog).toContainText('4 B')
  await app.dialog.getByRole('button', { name: 'Close' }).first().tap()
  const arrives = page.waitForEvent('download')
  await onRow(app, page, 'kept.bin', 'Download')
  expect(await readFile(await (await arrives).path(), 'utf8')).toBe('sent')

  await app.button('Clear selection').tap()
  await app.button('Actions').tap()
  await page.getByRole('menuitem', { name: 'View', exact: true }).tap()
  await app.choice('Mosaic').first().tap()
  await expect.poll(async () => (await app.row('kept.bin').boundingBox())?.height).toBeGreaterThan(60)
  await app.button('Actions').tap()
  await page.getByRole('menuitem', { name: 'View', exact: true }).tap()
  await app.choice('List').tap()
})

test.describe('a new user', () => {
  test.use({ storageState: ANONYMOUS })

  test('by touch signs up, changes the profile, and signs out', async ({ app, page, server }) => {
    const boss = await manager(server)
    await boss.change({ signup: true })
    await app.open('/login')
    await app.button('Sign up').tap()
    await page.getByLabel('Username').fill(uniqueName('phone'))
    await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
    await page.getByLabel('Confirm password').fill(GOOD_PASSWORD)
    await page.getByRole('button', { name: 'Sign up' }).first().tap()
    await app.isAt('/files/')
    await app.button('Sidebar').tap()
    await page.getByRole('link', { name: 'Settings' }).tap()
    await page.getByLabel('Open with a single click').tap()
    await app.button('Update').first().tap()
    await expect(page.getByText('Settings updated')).toBeVisible()
    await app.logOut()
    await app.isAt('/login')
    await boss.change({ signup: false })
  })
})
