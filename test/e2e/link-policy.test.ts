import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, json, signIn } from '../api/client.ts'
import { startServer } from '../api/harness.ts'
import { App } from './app.ts'
import { expectAccessible } from './axe.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

test.use({ storageState: ANONYMOUS })

test('an administrator decides which links are made, and the share dialog offers no others', async ({ page }) => {
  const server = await startServer()
  await writeFile(join(server.root, 'plan.txt'), 'a plan')
  const app = new App(page, server.url)
  await app.open('/login')
  await app.logIn(server.adminPassword)
  await app.settled()

  await app.open('/settings/global')
  const card = page.getByRole('region', { name: 'Share links' })
  await card.getByLabel('Edit together').uncheck()
  await card.getByLabel('Send files').uncheck()
  await card.getByLabel('Every link needs a password').check()
  await card.getByLabel('Days until a link ends, at most').fill('14')
  await card.getByLabel('Name in the address').selectOption('For every link')
  await expect(card).toContainText('Names can be guessed.')
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Settings updated')).toBeVisible()

  await app.open('/files/')
  await app.settled()
  await app.row('plan.txt').click()
  await app.button('Share').click()
  await expect(app.dialog.getByRole('radio')).toHaveCount(0)
  const expiry = app.dialog.getByRole('combobox', { name: 'Expires' })
  await expect(expiry.getByRole('option')).toHaveText(['In 1 day', 'In 7 days', 'On a date…'])
  await expect(expiry).toHaveValue('7')
  const create = app.dialog.getByRole('button', { name: 'Create link' })
  await create.click()
  const password = app.dialog.getByLabel('Password', { exact: true })
  await expect(password).toBeFocused()
  await expect(app.dialog).toContainText('Links need a password here.')
  await expectAccessible(page)
  await password.fill('of the link')
  await expiry.selectOption('On a date…')
  const day = app.dialog.getByLabel('Expires on')
  const beyond = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 16)
  await day.fill(beyond)
  await create.click()
  await expect(app.dialog).toContainText('A link ends within 14 days here.')
  await expiry.selectOption('In 7 days')
  await create.click()
  await expect(app.dialog.getByRole('textbox', { name: 'Link', exact: true })).toBeVisible()
  const [link] = json(await call(server, '/api/shares', { token: await signIn(server) }))
  expect(link).toMatchObject({ path: '/plan.txt', hasPassword: true })
  expect(Math.round((link.expire - Date.now() / 1000) / 86_400)).toBe(7)
  await server.stop()
})
