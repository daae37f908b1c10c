import type { Locator, Page } from '@playwright/test'
import { expectAccessibleInBoth, expectFineOnAPhoneAndInArabic } from './axe.ts'
import { expect, test } from './fixtures.ts'

const card = (page: Page): Locator => page.getByRole('region', { name: 'Server configuration' })
const rowOf = (page: Page, name: string): Locator =>
  card(page)
    .locator('div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .last()
const change = (page: Page, name: string): Locator =>
  card(page).getByRole('button', { name: `Change ${name}`, exact: true })

test('an administrator changes how the server starts next, and resets it', async ({ app, page }) => {
  await app.open('/settings/diagnostics')
  await change(page, 'imageProcessors').click()
  const dialog = page.getByRole('dialog', { name: 'Change imageProcessors' })
  await expect(dialog).toContainText('Changes take effect when the server restarts.')
  const field = dialog.getByLabel('Previews generated in parallel')
  await expect(field).toBeFocused()
  await expectAccessibleInBoth(page)
  await field.fill('many')
  await page.keyboard.press('Enter')
  await expect(field).toHaveAccessibleDescription('Invalid value.')
  await field.fill('2')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Saved. Takes effect after a restart.')).toBeVisible()
  await expect(rowOf(page, 'imageProcessors')).toContainText('After restart: 2')
  await expect(change(page, 'imageProcessors')).toBeFocused()

  await change(page, 'disableThumbnails').click()
  await page.getByRole('checkbox', { name: "Don't create image thumbnails" }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(rowOf(page, 'disableThumbnails')).toContainText('After restart: true')
  await change(page, 'nameIndex').click()
  await page.getByRole('combobox', { name: 'When file names are indexed for search' }).selectOption('always')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(rowOf(page, 'nameIndex')).toContainText('After restart: always')
  for (const name of ['imageProcessors', 'disableThumbnails', 'nameIndex']) {
    await change(page, name).click()
    await page.getByRole('button', { name: 'Reset to default' }).click()
    await expect(rowOf(page, name)).not.toContainText('After restart:')
  }
})

test('a setting fixed by the host is locked, with the reason', async ({ app, page, token }) => {
  await app.open('/settings/diagnostics')
  await expect(rowOf(page, 'passwordCost')).toContainText('FILIGREE_PASSWORD_COST')
  await expect(change(page, 'imageProcessors')).toBeVisible()
  for (const name of ['passwordCost', 'root', 'disableExec', 'auditDays'])
    await expect(change(page, name)).toHaveCount(0)
  const power = card(page).getByLabel('What users can do on the host itself.')
  for (const name of ['disableExec', 'execSandbox', 'fileMode']) await expect(power.getByText(name)).toBeVisible()
  await change(page, 'extractBytes').click()
  await expect(page.getByRole('dialog')).toContainText('Default: 107374182400')
  await page.keyboard.press('Escape')
  await expectFineOnAPhoneAndInArabic(app, token)
})
