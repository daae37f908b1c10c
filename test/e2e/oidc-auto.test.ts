import { startServer } from '../api/harness.ts'
import { startRealProvider } from '../oidc/real-provider.ts'
import { providerAt, withProviders } from '../oidc/sign-in.ts'
import { App } from './app.ts'
import { expectAccessible } from './axe.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

test.use({ storageState: ANONYMOUS })

test('the sign-in page goes to the provider at once, and stays after signing out, a failure, and for a password', async ({
  page,
}, { project }) => {
  const provider = await startRealProvider()
  const settings = providerAt(provider.issuer, { label: 'Home', autoRedirect: true })
  const server = await startServer(withProviders([settings], { base: project.metadata.base ?? '' }))
  await provider.register(server)
  const app = new App(page, server.url)
  const button = page.getByRole('link', { name: 'Log in with Home' })

  await page.goto(`${server.url}/files/?sort=size`)
  await page.waitForURL(address => address.href.startsWith(provider.issuer))
  await page.getByLabel('Name').fill('zoe')
  await page.getByRole('button', { name: 'Continue' }).click()
  await app.settled()
  expect(new URL(page.url()).search).toBe('?sort=size')

  await app.logOut()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(button).toBeVisible()
  expect(new URL(page.url()).search).toBe('?loggedout')

  for (const query of ['local', 'problem=denied&provider=home']) {
    await page.goto(`${server.url}/login?${query}`)
    await expect(button).toBeVisible()
    await expect(page.getByLabel('Username')).toBeVisible()
  }
  await expectAccessible(page)
  // It has just been there: a session that ends at once would send the browser back and forth.
  await page.goto(`${server.url}/login`)
  await expect(button).toBeVisible()
  await provider.stop()
  await server.stop()
})
