import { GOOD_PASSWORD, manager, OTHER_PASSWORD, send } from '../api/accounts.ts'
import { openSink, type Sink, secretIn } from '../mail/sink.ts'
import { expectAccessible } from './axe.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

/** Known before the server starts; not one that the system gives to connections. */
const PORT = 20_000 + (process.pid % 10_000)
const FLAGS = ['--mail', `smtp://127.0.0.1:${PORT}?tls=no`, '--mailFrom', 'Filigree <files@example.org>']
test.use({ serverArgs: [[...FLAGS, '--publicURL', 'https://files.example.org'], { scope: 'worker' }] })

let sink: Sink
test.beforeAll(async () => {
  sink = await openSink({}, PORT)
})
test.afterAll(() => sink.close())

/** The address of the link in the last mail, once there are so many. */
async function linkFor(address: string, count = 1): Promise<string> {
  await expect.poll(() => sink.to(address).length, { timeout: 15_000 }).toBe(count)
  const [last] = sink.to(address).slice(-1)
  return `/login?link#${last ? secretIn(last) : ''}`
}

test('an administrator tests the mail server, enters an address and invites a user', async ({ app, page, server }) => {
  await app.open('/settings/global')
  await page.getByLabel('Send a test mail to').fill('test@example.org')
  await page.getByRole('button', { name: 'Send test mail' }).click()
  await expect(page.getByText('The mail server took the mail: 250')).toBeVisible()

  await app.open('/settings/profile')
  const card = page.getByRole('region', { name: 'Mail address' })
  await card.getByRole('textbox', { name: 'Mail address' }).fill('admin@example.org')
  await card.getByRole('button', { name: 'Save and send link' }).click()
  await card.getByLabel('Your password').fill(server.adminPassword)
  await page.keyboard.press('Enter')
  await expect(card.getByText('admin@example.org is not confirmed yet.')).toBeVisible()
  await app.open(await linkFor('admin@example.org'))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('The address is confirmed.')).toBeVisible()

  await app.open('/settings/profile')
  await expect(card.getByText('Confirmed: admin@example.org')).toBeVisible()
  const notices = card.getByRole('checkbox', {
    name: 'Mail me when files arrive by my links, and when my space runs out',
  })
  await notices.click()
  await expect(notices).not.toBeChecked()
  await expectAccessible(page)

  await app.open('/settings/users/new')
  await page.getByLabel('Username').fill('invited-by-mail')
  await page.getByRole('checkbox', { name: 'Invite by mail' }).check()
  await expect(page.getByLabel('Password', { exact: true })).toBeHidden()
  await page.getByRole('button', { name: 'Create' }).click()
  const address = page.getByRole('textbox', { name: 'Mail address' })
  await expect(address).toHaveAttribute('aria-invalid', 'true')
  await address.fill('invited@example.org')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'Edit user' })).toBeVisible()
  expect(await linkFor('invited@example.org')).toMatch(/#[\w-]{43}$/)
})

test.describe('a user without a session', () => {
  test.use({ storageState: ANONYMOUS })

  test('sets a password by an invitation, forgets it, and sets another by a mail', async ({ app, page, server }) => {
    const admin = await manager(server)
    const id = await admin.add('forgetful')
    await send(server, 'POST', `/api/users/${id}/invitation`, admin.token, { address: 'forgetful@example.org' })
    await app.open(await linkFor('forgetful@example.org'))
    await expect(page.getByText('Account: forgetful')).toBeVisible()
    expect(page.url()).not.toContain('#')
    await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
    await page.getByLabel('Confirm password').fill('something else')
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(page.getByLabel('Confirm password')).toHaveAttribute('aria-invalid', 'true')
    await page.getByLabel('Confirm password').fill(GOOD_PASSWORD)
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(page.getByText('The password is set.')).toBeVisible()

    await page.getByRole('link', { name: 'Back to login' }).click()
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Username or mail address').fill('forgetful@example.org')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(page.getByText('a mail is on its way')).toBeVisible()
    await app.open(await linkFor('forgetful@example.org', 2))
    await page.getByLabel('Password', { exact: true }).fill(OTHER_PASSWORD)
    await page.getByLabel('Confirm password').fill(OTHER_PASSWORD)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('link', { name: 'Back to login' }).click()
    await page.getByLabel('Username').fill('forgetful')
    await page.getByLabel('Password', { exact: true }).fill(OTHER_PASSWORD)
    await page.getByRole('button', { name: 'Log in' }).click()
    await expect(page).toHaveURL(/\/files\//)
  })
})
