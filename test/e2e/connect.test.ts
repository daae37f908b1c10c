import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manager, newcomer, perm } from '../api/accounts.ts'
import { expectAccessibleInBoth, expectFineOnAPhoneAndInArabic } from './axe.ts'
import { becomeOther, expect, test } from './fixtures.ts'

const RIGHTS = perm('create', 'modify', 'rename', 'delete', 'download')

test('the account menu leads to the address of WebDAV, where a token made in place signs in', async ({
  app,
  page,
  server,
  corner,
}) => {
  await writeFile(join(corner.disk, 'connected.txt'), '')
  const fields = { perm: RIGHTS, scope: corner.path }
  const { token: session, name } = await newcomer(server, await manager(server), fields)
  await becomeOther(page, session)
  await app.open('/files/')
  await page.getByRole('button', { name: `Account: ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Connect apps and drives' }).click()
  await app.isAt('/settings/connect')
  const card = page.getByRole('region', { name: 'Address and sign-in' })
  await expect(card).toContainText(name)
  const address = (await card.locator('code').textContent()) ?? ''
  await card.getByRole('button', { name: `Copy ${address}` }).click()
  await expect(page.getByText('Copied', { exact: true })).toBeVisible()

  await card.getByRole('button', { name: 'New token' }).click()
  await expect(app.dialog.getByLabel('Write')).toBeChecked()
  await app.dialog.getByLabel('Name').fill('Laptop')
  await page.keyboard.press('Enter')
  const done = page.getByRole('alertdialog', { name: 'Token created' })
  const secret = (await done.locator('code').textContent()) ?? ''
  await page.keyboard.press('Escape')
  await expect(done.getByRole('alert')).not.toBeEmpty()
  await page.keyboard.press('Escape')
  await expect(done).toBeHidden()
  const headers = { Authorization: `Basic ${btoa(`${name}:${secret}`)}`, Depth: '1' }
  expect(await (await fetch(address, { method: 'PROPFIND', headers })).text()).toContain('connected.txt')

  const rclone = page.locator('details', { hasText: 'rclone' })
  await rclone.locator('summary').focus()
  await page.keyboard.press('Enter')
  await expect(rclone).toContainText(`url=${address} vendor=owncloud`)
  await page.locator('details', { hasText: 'Android' }).locator('summary').click()
  await expect(page.getByRole('img', { name: 'The address as a QR code' })).toBeVisible()
  await expectAccessibleInBoth(page)
  await expectFineOnAPhoneAndInArabic(app, session)
})
