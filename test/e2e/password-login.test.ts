import { openDb } from '../../server/db/open.ts'
import type { PasswordLogin } from '../../server/features/settings/auth-settings.ts'
import { readAuthSettings, writeAuthSettings } from '../../server/features/settings/settings.store.ts'
import { startServer } from '../api/harness.ts'
import { providerAt, withProviders } from '../oidc/sign-in.ts'
import { App } from './app.ts'
import { expectAccessible } from './axe.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

test.use({ storageState: ANONYMOUS })

test('the sign-in page hides the form for a password where it is closed, and has it for administrators behind a link', async ({
  page,
}, { project }) => {
  // Nothing listens there.
  const settings = providerAt('http://127.0.0.1:1', { label: 'Home' })
  const server = await startServer(withProviders([settings], { base: project.metadata.base ?? '' }))
  const { db } = await openDb(server.database)
  const app = new App(page, server.url)
  const provider = page.getByRole('link', { name: 'Log in with Home' })
  const link = page.getByRole('button', { name: 'Administrators: log in with a password' })
  const name = page.getByLabel('Username')
  const open = async (passwordLogin: PasswordLogin) => {
    await writeAuthSettings(db, { ...(await readAuthSettings(db)), passwordLogin })
    await page.goto(`${server.url}/login`)
    await expect(provider).toBeVisible()
  }

  const away = page.getByRole('alert').filter({ hasText: "Home can't be reached right now." })
  const hint = page.getByText('Ask an administrator, who can open it on the server')

  await open('everybody')
  await expect(name).toBeVisible()
  await expect(link).toHaveCount(0)
  await provider.click()
  await expect(away).toBeFocused()
  await expect(hint).toHaveCount(0)

  await open('nobody')
  await expect(name).toHaveCount(0)
  await expect(link).toHaveCount(0)
  await expectAccessible(page)
  await expect(hint).toHaveCount(0)
  await provider.click()
  await expect(away).toBeFocused()
  await expect(hint).toBeVisible()
  await expectAccessible(page)

  await open('admins')
  await expect(name).toHaveCount(0)
  await expectAccessible(page)
  await link.click()
  await expect(name).toBeFocused()
  await expect(link).toHaveCount(0)
  await expectAccessible(page)
  await name.fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(server.adminPassword)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await app.settled()
  await db.destroy()
  await server.stop()
})
