import { manager, newcomer, OTHER_PASSWORD } from '../api/accounts.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'

test('an administrator hands over a link, with which a user sets a new password', async ({ app, page, server }) => {
  const { id, name } = await newcomer(server, await manager(server))
  await app.open(`/settings/users/${id}`)
  const card = page.getByRole('region', { name: 'One-time link' })
  await card.getByRole('button', { name: 'Make link' }).click()
  await expect(card.getByText('Hand the link over now')).toBeVisible()
  await expectAccessibleInBoth(page)
  const link = (await card.locator('code').textContent()) ?? ''
  await app.logOut()
  await page.goto(link)
  await page.getByLabel('Password', { exact: true }).fill(OTHER_PASSWORD)
  await page.getByLabel('Confirm password').fill(OTHER_PASSWORD)
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('link', { name: 'Back to login' }).click()
  await app.logIn(OTHER_PASSWORD, name)
  await app.settled()
})
