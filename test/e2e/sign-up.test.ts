import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { openDb } from '../../server/db/open.ts'
import { AuthSettings } from '../../server/features/settings/auth-settings.ts'
import { writeAuthSettings } from '../../server/features/settings/settings.store.ts'
import { GOOD_PASSWORD, manager } from '../api/accounts.ts'
import { login } from '../api/client.ts'
import { startServer, uniqueName } from '../api/harness.ts'
import { App } from './app.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

test.use({ storageState: ANONYMOUS })

test('sign-up is not offered where it is disabled', async ({ app, page }) => {
  await app.open('/login?signup')
  await expect(page.getByLabel('Username')).toBeVisible()
  await expect(app.button('Sign up')).toHaveCount(0)
  await expect(page.getByLabel('Confirm password')).toBeHidden()
})

test('a visitor signs up and sees the page they opened', async ({ app, page, server }) => {
  const boss = await manager(server)
  await boss.change({ signup: true })
  const name = uniqueName('stranger')
  await app.open('/settings/profile')
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
  await app.button('Sign up').click()
  await expect(page.getByLabel('Username')).toHaveValue('admin')
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(GOOD_PASSWORD)

  const again = page.getByLabel('Confirm password')
  await again.fill('another')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: "Passwords don't match" })).toBeVisible()
  await expect(again).toBeFocused()
  await again.fill(GOOD_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Username already taken' })).toBeVisible()
  await expect(page.getByLabel('Username')).toBeFocused()

  await page.getByLabel('Username').fill(name)
  await page.getByLabel('Password', { exact: true }).fill('short')
  await again.fill('short')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Too short: a password needs at least 12 characters.')).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
  await again.fill(GOOD_PASSWORD)
  await page.keyboard.press('Enter')
  await app.isAt('/settings/profile')
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  expect((await login(server, name, GOOD_PASSWORD)).status).toBe(200)
  await boss.change({ signup: false })
})

test('an error page offers a visitor sign-in and sign-up', async ({ app, page, server }) => {
  const boss = await manager(server)
  await boss.change({ signup: true })
  await app.open('/404')
  await page.getByRole('link', { name: 'Sign up' }).click()
  await expect(page.getByLabel('Confirm password')).toBeVisible()
  await boss.change({ signup: false })
})

/** A captcha provider: its script shows a button that solves it, its service accepts one answer. */
async function startProvider() {
  const script = `window.grecaptcha = {
    answer: '',
    ready: run => run(),
    render(box, { sitekey }) {
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = 'I am human for ' + sitekey
      button.onclick = () => { this.answer = 'human' }
      box.append(button)
      return 0
    },
    getResponse: () => window.grecaptcha.answer,
    reset: () => { window.grecaptcha.answer = '' },
  }`
  const provider = createServer((request, response) => {
    if (request.url?.startsWith('/recaptcha/api.js')) {
      return void response.setHeader('Content-Type', 'text/javascript').end(script)
    }
    void text(request).then(body => {
      const success = new URLSearchParams(body).get('response') === 'human'
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ success }))
    })
  })
  await new Promise<void>(resolve => provider.listen(0, '127.0.0.1', resolve))
  const { port } = provider.address() as AddressInfo
  return { host: `http://127.0.0.1:${port}`, stop: () => provider.close() }
}

test('with a captcha, signing in requires its answer', async ({ page }, { project }) => {
  const provider = await startProvider()
  const guarded = await startServer({ base: project.metadata.base })
  const { db } = await openDb(guarded.database)
  const recaptcha = { host: provider.host, key: 'site-key', secret: 'secret' }
  await writeAuthSettings(db, AuthSettings.parse({ recaptcha }))
  await db.destroy()
  const app = new App(page, guarded.url)
  await app.open('/login')
  const solve = app.button('I am human for site-key')
  await expect(solve).toBeVisible()
  const logins: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/login')) logins.push(request.postDataJSON().recaptcha)
  })
  await app.logIn(guarded.adminPassword)
  await expect(page.getByRole('alert').filter({ hasText: 'Wrong credentials' })).toBeVisible()
  expect(logins).toEqual([])

  await solve.click()
  await app.logIn('not the password')
  await expect.poll(() => logins).toEqual(['human'])
  await expect(page.getByRole('alert').filter({ hasText: 'Wrong credentials' })).toBeVisible()
  // An answer is valid for one attempt.
  await solve.click()
  await app.logIn(guarded.adminPassword)
  await app.isAt('/files/')
  // Parts that are still loading would be reported as missing.
  await page.goto('about:blank')
  await guarded.stop()
  provider.stop()
})
