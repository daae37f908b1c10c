import { spawnSync } from 'node:child_process'
import { GOOD_PASSWORD, manager, newcomer, send } from '../api/accounts.ts'
import { call, json, type Place } from '../api/client.ts'
import { confirmedLongAgo } from '../api/late.ts'
import { expectAccessible } from './axe.ts'
import { ANONYMOUS, becomeOther, expect, test } from './fixtures.ts'

/** A code of the app of a user. @param ahead steps of 30 seconds from now */
function codeOf(secret: string, ahead = 0): string {
  const seconds = Math.floor(Date.now() / 1000) + 30 * ahead
  return spawnSync('oathtool', ['--totp', '-b', secret, '--now', `@${seconds}`], { encoding: 'utf8' }).stdout.trim()
}

/** Sets up an app for a user. Its first code is used up. */
async function protect(server: Place, token: string): Promise<{ secret: string; codes: string[] }> {
  const { secret } = json(await send(server, 'POST', '/api/account/totp', token, { current_password: GOOD_PASSWORD }))
  const confirmed = await send(server, 'POST', '/api/account/totp/confirm', token, { code: codeOf(secret) })
  expect(confirmed.status).toBe(200)
  return { secret, codes: json(confirmed).codes }
}

test('a second factor is set up with the keyboard, and shows its recovery codes once', async ({
  app,
  page,
  server,
}) => {
  const { token: session } = await newcomer(server, await manager(server))
  await becomeOther(page, session)
  await app.open('/settings/security')
  const card = page.getByRole('region', { name: 'Second factor' })
  await card.getByRole('button', { name: 'Set up app' }).click()
  await app.dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(app.dialog.getByRole('img', { name: 'QR code for the app' })).toBeVisible()
  const secret = ((await app.dialog.locator('code').textContent()) ?? '').replace(/ /g, '')
  await expect(app.dialog.getByLabel('Code from the app')).toBeFocused()
  await page.keyboard.type('000000')
  await page.keyboard.press('Enter')
  await expect(app.dialog).toContainText('This code is wrong.')
  await expectAccessible(page)
  await app.dialog.getByLabel('Code from the app').fill(codeOf(secret))
  await page.keyboard.press('Enter')
  const shown = page.getByRole('alertdialog', { name: 'Recovery codes' })
  await expect(shown.getByRole('listitem')).toHaveCount(10)
  const [recovery = ''] = await shown.getByRole('listitem').allTextContents()
  await page.keyboard.press('Escape')
  await expect(shown.getByRole('alert')).toHaveText('Keep the codes first: they cannot be shown again.')
  await expectAccessible(page)
  await shown.getByRole('button', { name: 'I have kept them' }).click()
  await expect(card).toContainText('10 recovery codes left')
  expect(await page.content()).not.toContain(recovery)
})

test.describe('after the password', () => {
  test.use({ storageState: ANONYMOUS })

  test('the code of the app is asked for, or once a recovery code', async ({ app, page, server }) => {
    const { token, name } = await newcomer(server, await manager(server))
    const { secret, codes } = await protect(server, token)
    const [recovery = ''] = codes
    for (const step of ['recovery', 'app']) {
      await app.open('/login')
      await page.getByLabel('Username').fill(name)
      await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
      await page.keyboard.press('Enter')
      await expect(page.getByLabel('One-time code')).toBeFocused()
      await page.keyboard.type('000000')
      await expect(page.getByRole('main').getByRole('alert')).toHaveText('This code is wrong or was used already.')
      await expectAccessible(page)
      if (step === 'recovery') {
        await page.getByRole('button', { name: 'Use a recovery code' }).click()
        await expect(page.getByLabel('Recovery code', { exact: true })).toBeFocused()
        await page.keyboard.type(recovery.toUpperCase())
        await page.keyboard.press('Enter')
        await app.settled()
        await page.evaluate(() => localStorage.clear())
      } else {
        await page.getByLabel('One-time code').fill(codeOf(secret, 1))
        await app.settled()
      }
    }
  })
})

test('an administrator removes the second factor of a user', async ({ app, page, server }) => {
  const admin = await manager(server)
  const { token, id, name } = await newcomer(server, admin)
  const post = (path: string, body: object) => call(server, path, { method: 'POST', token, body: JSON.stringify(body) })
  const { secret } = json(await post('/api/account/totp', { current_password: GOOD_PASSWORD }))
  expect((await post('/api/account/totp/confirm', { code: codeOf(secret) })).status).toBe(200)
  await app.open(`/settings/users/${id}`)
  const card = page.getByRole('region', { name: 'Second factor' })
  await expect(card).toContainText('10 recovery codes left')
  await card.getByRole('button', { name: 'Turn off' }).click()
  const question = page.getByRole('alertdialog')
  await confirmedLongAgo(server)
  await question.getByRole('button', { name: 'Turn off' }).click()
  await page
    .getByRole('dialog', { name: 'Confirm that it is you' })
    .getByLabel('Your password')
    .fill(server.adminPassword)
  await page.keyboard.press('Enter')
  await expect(card).toContainText('No second factor is set up.')
  const body = JSON.stringify({ username: name, password: GOOD_PASSWORD })
  expect((await call(server, '/api/login', { method: 'POST', body })).status).toBe(200)
})
