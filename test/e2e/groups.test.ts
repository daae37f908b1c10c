import { manager, perm, send } from '../api/accounts.ts'
import { json } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { expectAccessibleInBoth, expectFineOnAPhoneAndInArabic } from './axe.ts'
import { expect, test } from './fixtures.ts'

test('a group is created, gets a member, comes before another one, and is deleted', async ({
  app,
  page,
  server,
  token,
}) => {
  const [name, other, member] = [uniqueName('staff'), uniqueName('leads'), uniqueName('mia')]
  const boss = await manager(server)
  const user = await boss.add(member, { perm: perm('create') })
  await send(server, 'POST', '/api/groups', token, { name: other })
  await app.open('/settings/groups')
  await page.getByRole('link', { name: 'New group' }).click()
  await app.button('Create').click()
  await expect(page.getByText('Fix 1 problem')).toBeVisible()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Download').check()
  await app.button('Create').click()
  await expect(page.getByText('Group created')).toBeVisible()
  await expect(page.getByText('This group has no members yet.')).toBeVisible()

  await page.getByLabel('Add member').fill(member)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: member })).toBeVisible()
  await expectAccessibleInBoth(page)

  await page.getByRole('link', { name: 'Groups', exact: true }).click()
  const rows = page.getByRole('row').filter({ hasText: /members?/ })
  await expect(rows.filter({ hasText: name })).toContainText('Download')
  await expectAccessibleInBoth(page)
  await page.getByRole('link', { name, exact: true }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  const orderOf = async () =>
    json(await send(server, 'GET', '/api/groups', token)).map((group: { name: string }) => group.name)
  await expect.poll(orderOf).toEqual(expect.arrayContaining([name, other]))
  await expect.poll(async () => (await orderOf()).indexOf(name) < (await orderOf()).indexOf(other)).toBe(true)

  await app.open(`/settings/users/${user}`)
  const rights = page.getByRole('region', { name: 'What this user can do' })
  await expect(rights).toContainText('Own permission')
  await expect(rights).toContainText(name)
  await page.getByRole('button', { name: `Remove ${name}` }).click()
  await expect(page.getByText('This user is in no group.')).toBeVisible()
  await page.getByLabel('Add to a group').selectOption({ label: other })
  await page.getByRole('button', { name: 'Add to a group' }).click()
  await expect(page.getByRole('link', { name: other })).toBeVisible()
  await expectAccessibleInBoth(page)

  await page.getByRole('link', { name: other }).click()
  await app.button('Delete').click()
  await expect(app.dialog).toContainText('1 member loses what this group gives.')
  await app.dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Group deleted')).toBeVisible()
  await app.isAt('/settings/groups')
  await page.getByRole('link', { name, exact: true }).click()
  await expectFineOnAPhoneAndInArabic(app, token)
  await boss.remove(user)
  const left = json(await send(server, 'GET', '/api/groups', token)).find(
    (group: { name: string }) => group.name === name,
  )
  await send(server, 'DELETE', `/api/groups/${left.id}`, token)
})
