import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manager, newcomer, perm } from '../api/accounts.ts'
import { uniqueName } from '../api/harness.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { ANONYMOUS, becomeOther, expect, test } from './fixtures.ts'

test('GRA-01 a folder is shared with a user, who finds it at once, reads it, and leaves it', async ({
  app,
  page,
  corner,
  server,
  browser,
}) => {
  const scope = `/${uniqueName('grantee')}`
  await mkdir(join(server.root, scope))
  await mkdir(join(corner.disk, 'grants trip'))
  await writeFile(join(corner.disk, 'grants trip/plan.txt'), 'the plan')
  const admin = await manager(server)
  const bob = await newcomer(server, admin, { scope, perm: perm('create', 'download') })
  const context = await browser.newContext({ storageState: ANONYMOUS })
  const other = await context.newPage()
  await becomeOther(other, bob.token)
  await other.goto(`${server.url}/files/`)
  await expect(other.getByRole('link', { name: 'My files' }).first()).toBeVisible()

  await app.openFolder(corner.path)
  await app.row('grants trip').click()
  await app.button('Share').click()
  await expect(app.dialog.getByRole('button', { name: 'Create link' })).toBeVisible()
  await app.dialog.getByLabel('Name of a user or group').fill(bob.name)
  await expect(app.dialog.getByRole('button', { name: `Share ${bob.name}` })).toBeVisible()
  await expect(app.dialog.getByRole('button', { name: 'Create link' })).toHaveCount(0)
  await expect(app.dialog.getByRole('radio', { name: /^View and download/ })).toBeHidden()
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Shared with ${bob.name}`)).toBeVisible()
  const rights = app.dialog.getByLabel(`Permissions of ${bob.name}`)
  await expect(rights).toHaveValue('view')
  await expectAccessibleInBoth(page)
  await rights.selectOption('Edit')
  await expect(rights).toHaveValue('edit')
  await app.dialog.getByRole('button', { name: `Message and end for ${bob.name}` }).click()
  const end = app.dialog.getByRole('listitem').filter({ hasText: bob.name }).getByLabel('Expires')
  await expect(end).toBeFocused()
  await end.selectOption('In 7 days')
  await app.dialog.getByLabel('Message to the recipient').fill('for the weekend')
  await expectAccessibleInBoth(page)
  await app.dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(app.dialog.getByText('for the weekend')).toBeVisible()
  await expect(app.dialog.getByText(/^Expires (in [67] days|next week)$/)).toBeVisible()

  await other.getByRole('link', { name: 'Shared with me' }).first().click()
  const row = other.getByRole('row', { name: /grants trip/ })
  await expect(row).toBeVisible()
  await expectAccessibleInBoth(other)
  await row.click()
  await other.getByRole('button', { name: 'Details' }).click()
  await expect(other.getByText('for the weekend')).toBeVisible()
  await row.dblclick()
  await expect(other.getByRole('row', { name: /plan.txt/ })).toBeVisible()
  await other.goBack()
  await row.click({ button: 'right' })
  for (const name of ['Move to', 'Cut', 'Delete'])
    await expect(other.getByRole('menuitem', { name, exact: true })).toHaveCount(0)
  await other.getByRole('menuitem', { name: 'Rename' }).click()
  await other.keyboard.press('ControlOrMeta+A')
  await other.keyboard.type('Our trip')
  await other.keyboard.press('Enter')
  const renamed = other.getByRole('row', { name: /Our trip/ })
  await expect(renamed).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect(app.dialog.getByText(bob.name, { exact: true })).toBeVisible()
  await renamed.click({ button: 'right' })
  await other.getByRole('menuitem', { name: 'Leave' }).click()
  await other.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await expect(other.getByRole('alertdialog')).toHaveCount(0)
  const sidebar = other.getByRole('navigation', { name: 'Main navigation' })
  await expect(sidebar.getByRole('link', { name: 'My files' })).toBeVisible()
  await expect(sidebar.getByRole('link', { name: 'Shared with me' })).toHaveCount(0)
  await expect(renamed).toHaveCount(0)
  await expect(other).toHaveURL(/\/files\/$/)
  await context.close()
})
