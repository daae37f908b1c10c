import { spawnSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GOOD_PASSWORD, manager, newcomer, send } from '../api/accounts.ts'
import { json } from '../api/client.ts'
import { startServer, uniqueName } from '../api/harness.ts'
import { makeCertificates } from '../ldap/slapd.ts'
import { freePort } from '../proxies/free-port.ts'
import { isThere, startProgram } from '../proxies/proxies.ts'
import { App } from './app.ts'
import { addAuthenticator } from './authenticator.ts'
import { ANONYMOUS, becomeOther, expect, test } from './fixtures.ts'

test.use({ storageState: ANONYMOUS })

/** A code of the app of a user. @param ahead steps of 30 seconds from now */
function codeOf(secret: string, ahead = 0): string {
  const at = `@${Math.floor(Date.now() / 1000) + 30 * ahead}`
  return spawnSync('oathtool', ['--totp', '-b', secret, '--now', at], { encoding: 'utf8' }).stdout.trim()
}

test('a passkey is made and signs in alone below /a/b, behind Caddy with a certificate of an authority of its own', async ({
  playwright,
  launchOptions,
}) => {
  test.skip(!isThere('Caddy'), 'There is no Caddy here.')
  const home = mkdtempSync(join(tmpdir(), 'caddy-'))
  makeCertificates(home)
  const server = await startServer({ base: '/a/b', args: ['--trustedProxies', '127.0.0.1'] })
  const port = await freePort()
  const file = join(home, 'Caddyfile')
  const lines = [`tls ${home}/server.pem ${home}/server.key`, `reverse_proxy /a/b/* ${server.host}:${server.port}`]
  const own = `{\nadmin off\nauto_https disable_redirects\nstorage file_system ${home}/state\n}\n`
  writeFileSync(file, `${own}https://localhost:${port} {\n${lines.join('\n')}\n}\n`)
  const proxy = await startProgram('caddy', ['run', '--adapter', 'caddyfile', '--config', file], { home, port })
  const key = new X509Certificate(readFileSync(join(home, 'server.pem'))).publicKey
  const digest = createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('base64')
  const { token } = await newcomer(server, await manager(server))

  // Browsers refuse passkeys where a certificate is wrong: this one counts as right.
  const args = [...(launchOptions.args ?? []), `--ignore-certificate-errors-spki-list=${digest}`]
  const browser = await playwright.chromium.launch({ ...launchOptions, args })
  const page = await browser.newPage()
  const app = new App(page, `https://localhost:${port}/a/b`)
  await addAuthenticator(page)
  await becomeOther(page, token)
  await app.open('/settings/security')
  const card = page.getByRole('region', { name: 'Passkeys' })
  await card.getByRole('button', { name: 'Add passkey' }).click()
  await app.dialog.getByLabel('Name of the passkey').fill('My laptop')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect(card.getByRole('listitem')).toContainText(['My laptop'])
  await page.evaluate(() => localStorage.clear())
  await app.open('/login')
  // The field of the name, or the button.
  const button = page.getByRole('button', { name: 'Log in with a passkey' })
  await Promise.race([app.settled(), button.click({ timeout: 20_000 }).then(() => app.settled())])
  await browser.close()
  await proxy.stop()
  await server.stop()
  await rm(home, { recursive: true, force: true })
})

test('a member of a group that must have a second factor sets one up, does so again after a lost phone, and a browser that remembers it is forgotten from another one', async ({
  app,
  page,
  browser,
  server,
}) => {
  const admin = await manager(server)
  const { id, name, token: before } = await newcomer(server, admin)
  const fields = { label: 'Script', scopes: ['read'], current_password: GOOD_PASSWORD }
  const { token: secretOfScript } = json(await send(server, 'POST', '/api/tokens', before, fields))
  const { id: group } = json(
    await send(server, 'POST', '/api/groups', admin.token, { name: uniqueName('g'), perm: {} }),
  )
  await send(server, 'PUT', `/api/groups/${group}/members/${id}`, admin.token)
  const duty = { require: 'groups', groups: [group], from: null, graceDays: 0 }
  expect((await send(server, 'PUT', '/api/settings/access', admin.token, { secondFactor: duty })).status).toBe(204)

  const curl = (...args: string[]) =>
    spawnSync('curl', ['-s', '-o', '/dev/null', '-w', '%{http_code}', ...args], { encoding: 'utf8' }).stdout
  const byPassword = () =>
    curl('-d', JSON.stringify({ username: name, password: GOOD_PASSWORD }), `${server.url}/api/login`)
  const byToken = () => curl('-u', `${name}:${secretOfScript}`, `${server.url}/api/resources/`)
  /** At a page that asks for it. @returns the secret of the app */
  const enrol = async () => {
    await expect(page.getByText('A second factor is required here.')).toBeVisible()
    await page.getByRole('button', { name: 'Set up app' }).click()
    const secret = ((await page.locator('code').textContent()) ?? '').replace(/ /g, '')
    await page.getByLabel('Code from the app').fill(codeOf(secret))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await app.settled()
    return secret
  }
  const enter = async (at: App) => {
    await at.open('/login')
    await at.logIn(GOOD_PASSWORD, name)
  }
  await enter(app)
  await enrol()
  expect([byPassword(), byToken()]).toEqual(['403', '200'])

  // The phone is lost: an administrator turns the factor off in a browser of their own.
  await app.logOut()
  const office = await browser.newContext()
  const desk = new App(await office.newPage(), server.url)
  await desk.open('/login')
  await desk.logIn(server.adminPassword)
  await desk.settled()
  await desk.open(`/settings/users/${id}`)
  const card = desk.page.getByRole('region', { name: 'Second factor' })
  await card.getByRole('button', { name: 'Turn off' }).click()
  await desk.page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click()
  await expect(card).toContainText('No second factor is set up.')
  await office.close()
  await enter(app)
  const secret = await enrol()

  // This browser is remembered, until another one forgets it.
  await app.logOut()
  await enter(app)
  await page.getByLabel("Don't ask in this browser for 30 days").check()
  await page.getByLabel('One-time code').fill(codeOf(secret, 1))
  await app.settled()
  await app.logOut()
  await enter(app)
  await app.settled()
  const elsewhere = await browser.newContext()
  const other = new App(await elsewhere.newPage(), server.url)
  const token = (await page.evaluate(() => localStorage.getItem('jwt'))) ?? ''
  await becomeOther(other.page, token)
  await other.open('/settings/security')
  const browsers = other.page.getByRole('region', { name: 'Remembered browsers' })
  await browsers.getByRole('button', { name: 'Forget' }).click()
  await expect(browsers).toBeHidden()
  await elsewhere.close()
  await app.logOut()
  await enter(app)
  await expect(page.getByLabel('One-time code')).toBeFocused()
  const none = { require: 'none', groups: [], from: null, graceDays: 0 }
  expect((await send(server, 'PUT', '/api/settings/access', admin.token, { secondFactor: none })).status).toBe(204)
})
