import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call } from '../api/client.ts'
import { expectAccessibleInBoth, expectFineOnAPhoneAndInArabic } from './axe.ts'
import { expect, test } from './fixtures.ts'

test('LOG-01 administrators read the audit log and filter it', async ({ app, page, corner, token }) => {
  await writeFile(join(corner.disk, 'a.txt'), 'content')
  await app.open(`/files${corner.path}/a.txt`)
  await expect(page.getByText('content')).toBeVisible()
  await app.open('/settings/audit')
  await expect(page.getByRole('heading', { name: 'Audit log' })).toBeFocused()
  await page.getByLabel('Path').fill(corner.name)
  const rows = page.getByRole('listitem').filter({ hasText: 'a.txt' })
  await expect(rows.first()).toContainText('admin')
  await page.getByLabel('Actions').selectOption({ label: 'Upload' })
  await expect(page.getByText('No entries match this filter.')).toBeVisible()
  await page.getByLabel('Actions').selectOption({ label: 'All actions' })
  await expect(rows.first()).toBeVisible()
  const href = await page.getByRole('link', { name: 'Export' }).getAttribute('href')
  expect(new URLSearchParams(href?.split('?')[1]).get('path')).toBe(corner.name)
  await expectAccessibleInBoth(page)
  await expectFineOnAPhoneAndInArabic(app, token)
})

test('the details explain why an action is allowed or not', async ({ app, page, corner, token }) => {
  await writeFile(join(corner.disk, 'a.txt'), 'content')
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await page.keyboard.press('Control+i')
  await page
    .getByRole('complementary', { name: 'Details' })
    .getByRole('button', { name: 'Explain these permissions' })
    .click()
  await expect(app.dialog).toContainText('This is allowed.')
  await app.dialog.getByLabel('Path').fill(`${corner.path}/nothing.txt`)
  await expect(app.dialog).toContainText('This is denied.')
  await expectAccessibleInBoth(page)
  await expectFineOnAPhoneAndInArabic(app, token)
  await page.keyboard.press('Escape')
  await expect(app.dialog).toHaveCount(0)
})

test('a page that could not be shown gives the reason, and so does a share link', async ({
  app,
  page,
  corner,
  token,
}) => {
  await app.open(`/files${corner.path}/nothing.txt`)
  await page.getByRole('button', { name: 'Explain these permissions' }).click()
  await expect(app.dialog).toContainText('This is denied.')
  await expect(app.dialog.getByLabel('Path')).toHaveValue(`${corner.path}/nothing.txt`)
  await page.keyboard.press('Escape')
  await app.open(`/files${corner.path}/gone/`)
  await expect(page.getByRole('button', { name: 'Explain these permissions' })).toBeVisible()

  await writeFile(join(corner.disk, 'a.txt'), 'content')
  await call(app, `/api/share${corner.path}/a.txt`, { method: 'POST', token, body: '{}' })
  await app.open('/settings/shares')
  const row = page.getByRole('row').filter({ hasText: `${corner.path}/a.txt` })
  await row.getByRole('button', { name: 'Explain these permissions' }).click()
  await expect(app.dialog).toContainText('This is allowed.')
  await expect(app.dialog).toContainText(`${corner.path}/a.txt`)
})
