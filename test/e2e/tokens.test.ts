import { GOOD_PASSWORD, manager, newcomer, perm } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { expectAccessible } from './axe.ts'
import { becomeOther, expect, test } from './fixtures.ts'

const RIGHTS = perm('create', 'modify', 'rename', 'delete', 'share', 'download')

test('an API token is made with the keyboard, shown once, used, and revoked', async ({ app, page, server, corner }) => {
  const fields = { perm: RIGHTS, scope: corner.path }
  const { token: session, name } = await newcomer(server, await manager(server), fields)
  await call(server, '/api/resources/tokens-e2e/', { method: 'POST', token: session })
  await becomeOther(page, session)
  await app.open('/settings/security')
  const card = page.getByRole('region', { name: 'API tokens' })
  await expect(card).toContainText('There are no API tokens.')
  await card.getByRole('button', { name: 'New token' }).focus()
  await page.keyboard.press('Enter')
  await expect(app.dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(app.dialog).toContainText('Enter a name.')
  await page.keyboard.type('Phone')
  await app.dialog.getByLabel('Write').press('Space')
  await expect(app.dialog.getByLabel('Read')).toBeDisabled()
  await app.dialog.getByLabel('Files', { exact: true }).selectOption('One folder')
  await app.dialog.getByRole('treeitem', { name: 'tokens-e2e' }).click()
  await app.dialog.getByLabel('Name').press('Enter')
  await expect(app.dialog.getByLabel('Your password')).toBeFocused()
  await page.keyboard.type(GOOD_PASSWORD)
  await expectAccessible(page)
  await page.keyboard.press('Enter')

  const done = page.getByRole('alertdialog', { name: 'Token created' })
  const secret = (await done.locator('code').textContent()) ?? ''
  expect(secret).toMatch(/^flg_[0-9A-Za-z]{36}$/)
  await expect(done.getByRole('button', { name: 'Copy token' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(done.getByRole('alert')).toHaveText('The token is not copied yet, and it cannot be shown again.')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(done).toBeHidden()
  const line = card.getByRole('listitem').filter({ hasText: 'Phone' }).first()
  await expect(line).toContainText(`…${secret.slice(-4)}`)
  await expect(line).toContainText('/tokens-e2e')
  await expect(line).toContainText('Never used')
  expect(await page.content()).not.toContain(secret)

  const { status } = await call(server, '/api/resources/tokens-e2e/', { token: secret })
  expect([status, (await call(server, '/api/resources/', { token: secret })).status]).toEqual([200, 403])
  await line.getByRole('button', { name: 'Revoke' }).click()
  const question = page.getByRole('alertdialog', { name: 'Revoke “Phone”?' })
  await question.getByRole('button', { name: 'Revoke' }).click()
  await expect(card).toContainText('There are no API tokens.')
  expect((await call(server, '/api/resources/tokens-e2e/', { token: secret })).status).toBe(401)
  expect(name).not.toBe('')
})

test('an administrator sees and revokes the API tokens of a user', async ({ app, page, server }) => {
  const { token: session, id } = await newcomer(server, await manager(server), { perm: RIGHTS })
  const body = JSON.stringify({ label: 'Old laptop', scopes: ['read'], current_password: GOOD_PASSWORD })
  const { token } = json(await call(server, '/api/tokens', { method: 'POST', token: session, body }))
  await app.open(`/settings/users/${id}`)
  const card = page.getByRole('region', { name: 'API tokens' })
  await expect(card).toContainText('Old laptop')
  await expect(card.getByRole('button', { name: 'New token' })).toHaveCount(0)
  await card.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await expect(card).toContainText('There are no API tokens.')
  expect((await call(server, '/api/resources/', { token })).status).toBe(401)
})
