import { GOOD_PASSWORD, manager, newcomer } from '../api/accounts.ts'
import { confirmedLongAgo } from '../api/late.ts'
import { addAuthenticator } from './authenticator.ts'
import { expectAccessible } from './axe.ts'
import { ANONYMOUS, becomeOther, expect, test } from './fixtures.ts'

/** Browsers refuse passkeys at an IP address. */
const named = (url: string) => url.replace('127.0.0.1', 'localhost')

test.use({ storageState: ANONYMOUS })

test('a passkey is made, signs in alone and after the password, which a remembered browser does without, and is removed', async ({
  app,
  page,
  server,
}) => {
  const { token, name } = await newcomer(server, await manager(server))
  const url = named(server.url)
  const authenticator = await addAuthenticator(page)
  await becomeOther(page, token)
  await page.goto(`${url}/settings/security`)
  const card = page.getByRole('region', { name: 'Passkeys' })
  await expect(card).toContainText('No passkey is set up.')
  await card.getByRole('button', { name: 'Add passkey' }).click()
  await app.dialog.getByLabel('Name of the passkey').fill('My laptop')
  await authenticator.verify(false)
  await page.keyboard.press('Enter')
  await expect(app.dialog.getByRole('alert')).toHaveText('No passkey was made. Try again.')
  await expectAccessible(page)
  await authenticator.verify(true)
  await page.keyboard.press('Enter')
  const codes = page.getByRole('alertdialog', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  await expect(card.getByRole('listitem')).toContainText(['My laptopNever used'])
  await expectAccessible(page)

  const signedOut = async () => {
    // The field of the name offers the passkey, which the authenticator would take at once.
    await authenticator.verify(false)
    await page.evaluate(() => localStorage.clear())
    await page.goto(`${url}/login`)
  }
  await signedOut()
  await expect(page.getByLabel('Username')).toHaveAttribute('autocomplete', 'username webauthn')
  await expectAccessible(page)
  // From now on only the button asks for the passkey: the field would get it first.
  await page.evaluate(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await expect(page.getByRole('alert').first()).toHaveText('No passkey was used. Try again, or log in another way.')
  await authenticator.verify(true)
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await app.settled()

  await signedOut()
  await expect(page.getByRole('button', { name: 'Log in with a passkey' })).toBeVisible()
  await authenticator.verify(true)
  await page.reload()
  await app.settled()

  await signedOut()
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Confirm with your passkey.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeFocused()
  await page.getByLabel("Don't ask in this browser for 30 days").check()
  await expectAccessible(page)
  await authenticator.verify(true)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await app.settled()

  await signedOut()
  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
  await page.keyboard.press('Enter')
  await app.settled()

  await page.goto(`${url}/settings/security`)
  const browsers = page.getByRole('region', { name: 'Remembered browsers' })
  await expect(browsers.getByRole('listitem')).toHaveCount(1)
  await expectAccessible(page)
  await browsers.getByRole('button', { name: 'Forget' }).click()
  await expect(browsers).toBeHidden()
  await expect(card.getByRole('listitem')).toContainText(['Last used'])
  await card.getByRole('button', { name: 'Rename' }).click()
  await app.dialog.getByLabel('Name of the passkey').fill('Old laptop')
  await page.keyboard.press('Enter')
  await card.getByRole('listitem').filter({ hasText: 'Old laptop' }).getByRole('button', { name: 'Remove' }).click()
  await confirmedLongAgo(server)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expect(question.getByRole('button', { name: 'Use your password' })).toBeVisible()
  await expectAccessible(page)
  await authenticator.verify(true)
  await question.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(card).toContainText('No passkey is set up.')
})
