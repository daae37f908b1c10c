import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { GOOD_PASSWORD, manager, OTHER_PASSWORD, send } from '../api/accounts.ts'
import { linkTo } from '../api/links-client.ts'
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

test('an administrator tests the mail server, enters an address and invites a user', async ({ app, page }) => {
  await app.open('/settings/global')
  await page.getByLabel('Send a test mail to').fill('test@example.org')
  await page.getByRole('button', { name: 'Send test mail' }).click()
  await expect(page.getByText('The mail server took the mail: 250')).toBeVisible()

  await app.open('/settings/profile')
  const card = page.getByRole('region', { name: 'Mail address' })
  await card.getByRole('textbox', { name: 'Mail address' }).fill('admin@example.org')
  await card.getByRole('button', { name: 'Save and send link' }).click()
  await expect(card.getByText('admin@example.org is not confirmed yet.')).toBeVisible()
  await app.open(await linkFor('admin@example.org'))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('The address is confirmed.')).toBeVisible()

  await app.open('/settings/profile')
  await expect(card.getByText('Confirmed: admin@example.org')).toBeVisible()
  const finished = card.getByRole('checkbox', { name: 'Long jobs that have finished' })
  await finished.click()
  await expect(finished).not.toBeChecked()
  await expect(card.getByRole('checkbox', { name: 'Jobs with failures' })).toBeChecked()
  await expect(card.getByRole('checkbox', { name: 'What others share with me' })).toBeChecked()
  await expectAccessible(page)
  await card.getByRole('checkbox', { name: 'Send me mails about what I may miss' }).click()
  await expect(finished).toBeHidden()

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

test('the owner of a link sends it by mail from its dialog', async ({ app, page, corner, server, token }) => {
  await writeFile(join(corner.disk, 'plan.txt'), 'plan')
  const { hash } = await linkTo(server, token, `${corner.path}/plan.txt`)
  await app.openFolder(corner.path)
  await app.row('plan.txt').click()
  await app.button('Share').click()
  await app.dialog.getByRole('button', { name: 'Send by mail' }).click()
  const addresses = app.dialog.getByLabel('Mail addresses')
  await expect(addresses).toBeFocused()
  const send = app.dialog.getByRole('button', { name: 'Send', exact: true })
  await expect(send).toBeDisabled()
  await addresses.fill('no address')
  await send.click()
  await expect(addresses).toHaveAttribute('aria-invalid', 'true')
  await addresses.fill('ann@example.org, ben@example.org')
  await app.dialog.getByLabel('Message').fill('Please read it.')
  await expectAccessible(page)
  await send.click()
  await expect(page.getByText('The mails are on their way.')).toBeVisible()
  await expect(app.dialog).toContainText('Share “plan.txt”')
  for (const address of ['ann@example.org', 'ben@example.org']) {
    await expect.poll(() => sink.to(address)[0]?.text, { timeout: 15_000 }).toContain(`/share/${hash}`)
  }
  expect(sink.to('ann@example.org')[0]?.text).toContain('> Please read it.')
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
