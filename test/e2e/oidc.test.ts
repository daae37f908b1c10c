import { startServer } from '../api/harness.ts'
import { startRealProvider } from '../oidc/real-provider.ts'
import { providerAt, withProviders } from '../oidc/sign-in.ts'
import { App } from './app.ts'
import { expectAccessible } from './axe.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

test.use({ storageState: ANONYMOUS })

test('a newcomer signs in with a real provider, out of both, is signed out by it, and does without it; an account is connected with it, and a sign-in is tested', async ({
  page,
  context,
}, { project }) => {
  const provider = await startRealProvider()
  const settings = providerAt(provider.issuer, { label: 'Home', allow: ['staff'] })
  const server = await startServer(withProviders([settings], { base: project.metadata.base ?? '' }))
  await provider.register(server)
  const app = new App(page, server.url)
  const button = page.getByRole('link', { name: 'Log in with Home' })
  const confirmAs = async (name: string) => {
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Continue' }).click()
  }
  const signIn = async () => {
    await button.click()
    await confirmAs('zoe')
  }

  await app.open('/files/?sort=size')
  await expect(page.getByLabel('Username')).toBeFocused()
  await expect(button).toBeVisible()
  await expectAccessible(page)
  await signIn()
  await app.settled()
  expect(new URL(page.url()).search).toBe('?sort=size')
  expect(page.url()).not.toContain('handover')

  await app.logOut()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(button).toBeVisible()
  // The provider asks again: its session has ended as well.
  await signIn()
  await app.settled()

  const elsewhere = await context.newPage()
  await elsewhere.goto(`${provider.issuer}/session/end`)
  await elsewhere.getByRole('button', { name: 'Sign out' }).click()
  await expect(elsewhere.getByText('Signed out')).toBeVisible()
  await page.reload()
  await expect(button).toBeVisible()

  await app.logIn(server.adminPassword)
  await app.settled()
  await app.open('/settings/security')
  const connect = page.getByRole('button', { name: 'Connect with Home' })
  await connect.click()
  await confirmAs('owner')
  await expect(page.getByText('Your account is now connected with Home.')).toBeVisible()
  const ways = page.getByRole('region', { name: 'More ways to log in' })
  await expect(ways.getByRole('listitem')).toContainText('Last used')
  await expect(connect).toHaveCount(0)
  await expect(ways.getByRole('button', { name: 'Disconnect: Home' })).toBeVisible()
  await expectAccessible(page)
  expect(new URL(page.url()).search).toBe('')
  await app.open('/settings/diagnostics')
  await page.getByRole('button', { name: 'Test sign-in: Home' }).click()
  await page.getByRole('button', { name: 'Start test' }).click()
  const result = page.getByRole('dialog', { name: 'Test sign-in: Home' })
  await expect(result.getByText('Would log in as admin, an account that exists.')).toBeVisible()
  await expect(result.getByText('preferred_username')).toBeVisible()
  expect(new URL(page.url()).search).toBe('')
  await expectAccessible(page)
  await result.getByRole('button', { name: 'Close' }).last().click()
  await app.logOut()
  await button.click()
  await app.settled()
  await app.open('/settings/users')
  await expect(page.getByRole('link', { name: 'zoe' })).toBeVisible()
  await app.logOut()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(button).toBeVisible()

  await provider.stop()
  // For a moment the server still believes that it is there.
  await expect(async () => {
    await app.open('/login')
    await button.click()
    const alert = page.getByRole('alert').filter({ hasText: "Home can't be reached right now." })
    await expect(alert).toBeFocused({ timeout: 3000 })
  }).toPass()
  await app.logIn(server.adminPassword)
  await app.settled()
  await server.stop()
})
