import { spawnSync } from 'node:child_process'
import { GOOD_PASSWORD, manager, newcomer, send } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { expectAccessible } from './axe.ts'
import { expect, test } from './fixtures.ts'

test('an administrator requires a second factor of a group, and its member sets one up to sign in', async ({
  app,
  page,
  server,
}) => {
  const admin = await manager(server)
  const { id, name } = await newcomer(server, admin)
  const group = uniqueName('g')
  const { id: groupId } = json(await send(server, 'POST', '/api/groups', admin.token, { name: group, perm: {} }))
  await send(server, 'PUT', `/api/groups/${groupId}/members/${id}`, admin.token)
  await app.open('/settings/global')
  const card = page.getByRole('region', { name: 'Required second factor' })
  await card.getByLabel('Required of').selectOption('Chosen groups')
  await card.getByLabel(group).check()
  await card.getByLabel('Days of grace').fill('0')
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Settings updated')).toBeVisible()

  const demand = (graceDays: number, groups: number[]) =>
    send(server, 'PUT', '/api/settings/access', admin.token, {
      secondFactor: { require: 'groups', groups, from: null, graceDays },
    })
  const { groups } = json(await call(server, '/api/settings/access', { token: admin.token })).secondFactor
  expect((await demand(7, groups)).status).toBe(204)
  await app.logOut()
  await app.logIn(GOOD_PASSWORD, name)
  const bar = page.getByRole('complementary', { name: 'Second factor' })
  await expect(bar).toContainText(/^From .+ on, a second factor is required\.Set it up now$/)
  await expectAccessible(page)
  await bar.getByRole('link').click()
  await expect(page.getByRole('button', { name: 'Set up app' })).toBeVisible()
  // An open page follows.
  expect((await demand(0, [])).status).toBe(204)
  await expect(bar).toBeHidden()
  expect((await demand(7, groups)).status).toBe(204)
  await expect(bar).toBeVisible()
  await send(server, 'DELETE', `/api/groups/${groupId}/members/${id}`, admin.token)
  await expect(bar).toBeHidden()
  await send(server, 'PUT', `/api/groups/${groupId}/members/${id}`, admin.token)
  await expect(bar).toBeVisible()
  expect((await demand(0, groups)).status).toBe(204)

  await app.logOut()
  await app.logIn(GOOD_PASSWORD, name)
  await expect(page.getByText('A second factor is required here.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Set up app' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  const secret = ((await page.locator('code').textContent()) ?? '').replace(/ /g, '')
  await expect(page.getByLabel('Code from the app')).toBeFocused()
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main').getByRole('alert')).toHaveText('This was not accepted. Try again.')
  await expectAccessible(page)
  const { stdout } = spawnSync('oathtool', ['--totp', '-b', secret], { encoding: 'utf8' })
  await page.getByLabel('Code from the app').fill(stdout.trim())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Recovery codes' })).toBeFocused()
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(10)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await app.settled()
  const ended = { secondFactor: { require: 'none', groups: [], from: null, graceDays: 0 } }
  expect((await send(server, 'PUT', '/api/settings/access', admin.token, ended)).status).toBe(204)
})
