import { codeAt, fromBase32, stepAt } from '../../server/features/factors/totp.ts'
import { startServer } from '../api/harness.ts'
import { startRealProvider } from '../oidc/real-provider.ts'
import { providerAt, withProviders } from '../oidc/sign-in.ts'
import { App } from './app.ts'
import { expectAccessible } from './axe.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

test.use({ storageState: ANONYMOUS })

test('a newcomer of a provider that checked no second factor sets one up, where administrators require it', async ({
  page,
}, { project }) => {
  const provider = await startRealProvider()
  const settings = providerAt(provider.issuer, { label: 'Home' })
  const server = await startServer(withProviders([settings], { base: project.metadata.base ?? '' }))
  await provider.register(server)
  const app = new App(page, server.url)
  await app.open('/files/')
  await app.logIn(server.adminPassword)
  await app.settled()
  await app.open('/settings/global')
  const card = page.getByRole('region', { name: 'Required second factor' })
  const trust = card.getByLabel('Accept the second factor of providers')
  await expect(trust).toBeChecked()
  await card.getByLabel('Required of').selectOption('All users')
  await card.getByLabel('Days of grace').fill('0')
  await trust.uncheck()
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('Settings updated')).toBeVisible()
  await page.reload()
  await expect(trust).not.toBeChecked()
  await app.logOut()

  await page.getByRole('link', { name: 'Log in with Home' }).click()
  await page.getByLabel('Name').fill('zoe')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('A second factor is required here.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Set up app' }).click()
  const secret = ((await page.locator('code').textContent()) ?? '').replace(/ /g, '')
  await page.getByLabel('Code from the app').fill(codeAt(fromBase32(secret), stepAt(Date.now())))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await app.settled()
  await server.stop()
  await provider.stop()
})
