import { startServer } from '../api/harness.ts'
import { directoryAt, withDirectories } from '../ldap/sign-in.ts'
import { launchSlapd, person } from '../ldap/slapd.ts'
import { App } from './app.ts'
import { expectAccessible } from './axe.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

test.use({ storageState: ANONYMOUS })

const PASSWORD = 'a-password-of-the-directory'

test('a user of a directory signs in, and reads why they may not, or that it cannot be reached; accounts are compared, and a sign-in is tested', async ({
  page,
}, { project }) => {
  const slapd = await launchSlapd([person('zoe', PASSWORD), person('shut', PASSWORD, 'shadowExpire: 1\n')].join('\n'))
  const server = await startServer(withDirectories([directoryAt(slapd)], { base: project.metadata.base ?? '' }))
  const app = new App(page, server.url)
  const logIn = async (name: string) => {
    await page.getByLabel('Username').fill(name)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
  }
  await app.open('/login')
  await logIn('shut')
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: 'Your account at Head office has no access here. Ask an administrator.' }),
  ).toBeVisible()
  await expectAccessible(page)
  await slapd.stop()
  await logIn('zoe')
  await expect(
    page.getByRole('alert').filter({ hasText: "Head office can't be reached right now. Try again later." }),
  ).toBeVisible()
  await slapd.start()
  await expect(async () => {
    await logIn('zoe')
    await app.settled()
  }).toPass()
  await app.logOut()
  await app.logIn(server.adminPassword)
  await app.settled()
  await app.open('/settings/diagnostics')
  const card = page.getByRole('region', { name: 'Sign-in providers' })
  await expect(card.getByText('The accounts have not been compared yet.')).toBeVisible()
  await card.getByRole('button', { name: 'Compare now' }).click()
  await expect(page.getByText('Accounts compared')).toBeVisible()
  await expect(card.getByText('Open accounts: 1.')).toBeVisible()
  await expectAccessible(page)
  await card.getByRole('button', { name: 'Test sign-in: Head office' }).click()
  await expect(page.getByLabel('Username in the directory')).toBeFocused()
  await page.keyboard.type('shut')
  await page.keyboard.press('Enter')
  const result = page.getByRole('dialog', { name: 'Test sign-in: Head office' })
  await expect(result.getByText('Would be refused.')).toBeVisible()
  await expect(result.getByText('the directory has closed the account')).toBeVisible()
  await expectAccessible(page)
  // Parts of the page may still load.
  await page.goto('about:blank')
  await server.stop()
  await slapd.close()
})
