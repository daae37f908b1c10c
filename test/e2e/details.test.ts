import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'

test('the details pane is next to the listing and follows the focus', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'folder/deeper'), { recursive: true })
  await writeFile(join(corner.disk, 'folder/deeper/a.bin'), Buffer.alloc(3000, 1))
  await writeFile(join(corner.disk, 'a.txt'), 'content')
  await app.openFolder(corner.path)
  const aside = page.getByRole('complementary', { name: 'Details' })
  await page.keyboard.press('Control+i')
  await expect(aside.getByRole('heading', { name: corner.name })).toBeVisible()
  await expect(aside).toContainText('1 folder, 1 file')

  await page.keyboard.press('End')
  await expect(aside.getByRole('heading', { name: 'a.txt' })).toBeVisible()
  await aside.getByRole('button', { name: 'Calculate SHA-256' }).click()
  await expect(aside).toContainText(createHash('sha256').update('content').digest('hex'))
  await expect(aside.getByRole('button', { name: 'Copy SHA-256' })).toBeVisible()

  // Where the total is unknown without counting.
  await page.route(/\/api\/usage\/.*below=true/, route => route.fulfill({ json: { total: 0, used: 0 } }))
  await app.row('folder').click()
  await expect(aside.getByRole('heading', { name: 'folder' })).toBeVisible()
  await aside.getByRole('button', { name: 'Calculate' }).click()
  await expect(aside).toContainText('2.9\u00a0KiB · 1 folder, 1 file')

  await page.keyboard.press('Control+a')
  await expect(aside.getByRole('heading', { name: '2 items' })).toBeVisible()
  await expect(aside.getByRole('row', { name: /Text/ })).toContainText('7\u00a0B')
  await page.reload()
  await expect(aside).toBeVisible()
  await aside.getByRole('button', { name: 'Close details' }).click()
  await expect(aside).toHaveCount(0)
})

test('J10 sha256sum confirms the checksums that are saved of a folder, and those of sha256sum are compared here', async ({
  app,
  page,
  corner,
}) => {
  const check = () => spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: corner.disk, encoding: 'utf8' }).stdout
  await writeFile(join(corner.disk, 'a b.txt'), 'alpha')
  await writeFile(join(corner.disk, 'b.txt'), 'beta')
  await app.openFolder(corner.path)
  const aside = page.getByRole('complementary', { name: 'Details' })
  await page.keyboard.press('Control+i')
  const saved = page.waitForEvent('download')
  await aside.getByRole('button', { name: 'Save SHA256SUMS' }).click()
  await (await saved).saveAs(join(corner.disk, 'SHA256SUMS'))
  expect(check()).toBe('a b.txt: OK\nb.txt: OK\n')

  const made = spawnSync('sha256sum', ['b.txt', 'a b.txt'], { cwd: corner.disk, encoding: 'utf8' }).stdout
  await writeFile(join(corner.disk, 'theirs.sha256'), made)
  await app.row('theirs.sha256').click()
  await expect(aside.getByRole('heading', { name: 'theirs.sha256' })).toBeVisible()
  await aside.getByRole('button', { name: 'Compare' }).click()
  await expect(aside).toContainText('All 2 as recorded')

  await writeFile(join(corner.disk, 'b.txt'), 'betA')
  expect(check()).toBe('a b.txt: OK\nb.txt: FAILED\n')
  for (const name of ['theirs.sha256', 'SHA256SUMS']) {
    await app.row(name).click()
    await expect(aside.getByRole('heading', { name })).toBeVisible()
    await aside.getByRole('button', { name: 'Compare' }).click()
    await expect(aside).toContainText('1 of 2 not as recorded')
    await expect(aside.getByRole('listitem')).toHaveText('b.txt – differs')
  }
  await expectAccessible(page)
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('the details open as a sheet', async ({ app, page, corner }) => {
    await writeFile(join(corner.disk, 'a.txt'), 'content')
    await app.openFolder(corner.path)
    await page.getByRole('button', { name: 'Actions for a.txt' }).tap()
    await page.getByRole('menuitem', { name: 'Details' }).tap()
    await expect(app.dialog).toContainText('a.txt')
    await app.dialog.getByRole('button', { name: 'Calculate MD5' }).tap()
    await expect(app.dialog).toContainText(createHash('md5').update('content').digest('hex'))
  })
})
