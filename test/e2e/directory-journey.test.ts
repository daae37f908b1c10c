import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { manager, send } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { giveToGroup, withRoot } from '../api/further-root.ts'
import { startServer } from '../api/harness.ts'
import { directoryAt, withDirectories } from '../ldap/sign-in.ts'
import { dnOf, group, groupDn, launchSlapd, person } from '../ldap/slapd.ts'
import { App } from './app.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

test.use({ storageState: ANONYMOUS })

const PASSWORD = 'a-password-of-the-directory'
/** The same on both servers, as replication makes it. */
const entry = (uid: string, number: number) =>
  person(uid, PASSWORD, `entryUUID: 5f1d7c1e-0000-4000-8000-00000000000${number}\n`)
const ENTRIES = [entry('ann', 1), entry('bob', 2), group('north', [dnOf('ann')]), group('staff', [groupDn('north')])]

test('of a directory with two servers Ann has the team folder of a group around hers, Bob signs in after the first server died, all of Ann ends once she is closed, and the administrator needs neither server', async ({
  page,
  browser,
}) => {
  const text = ENTRIES.join('\n')
  const [first, second] = await Promise.all([launchSlapd(text), launchSlapd(text)])
  const { home, disk, args } = await withRoot()
  const caFile = join(home, 'authorities.pem')
  writeFileSync(caFile, [first, second].map(one => readFileSync(one.caFile, 'utf8')).join('\n'))
  const urls = [first, second].map(({ port }) => `ldap://127.0.0.1:${port}`)
  const directory = directoryAt(first, { urls, caFile, groupMap: { staff: 'Staff' } })
  const server = await startServer(withDirectories([directory], { args: [...args, '--dav', 'on'] }))
  await writeFile(join(disk, 'plan.txt'), 'a plan')
  const admin = await manager(server)
  const perm = { download: true, share: true, create: true }
  const staff = json(await send(server, 'POST', '/api/groups', admin.token, { name: 'Staff', perm }))
  await giveToGroup(server, admin.token, staff.id)

  const logIn = async (app: App, name: string) => {
    await app.open('/login')
    await app.logIn(PASSWORD, name)
    await app.settled()
  }
  const app = new App(page, server.url)
  await logIn(app, 'ann')
  expect(first.log().indexOf('STARTTLS')).toBeGreaterThan(0)
  await app.openFolder('/Team')
  await expect(app.row('plan.txt')).toBeVisible()
  const token = (await page.evaluate(() => localStorage.getItem('jwt'))) ?? ''
  const ask = (method: string, path: string, body: object) => send(server, method, path, token, body)
  const { token: secret } = json(await ask('POST', '/api/tokens', { label: 'Laptop', scopes: ['read'] }))
  await call(server, '/api/resources/report.txt', { method: 'POST', token, body: 'a report' })
  const { hash } = json(await ask('POST', '/api/share/report.txt', {}))
  const statusOfLink = async () => (await call(server, `/api/public/share/${hash}`)).status
  const list = () =>
    spawnSync('rclone', [
      ...['lsf', ':webdav:', '--webdav-url', `${server.url}/dav/`, '--webdav-user', 'ann', '--retries', '1'],
      ...['--webdav-pass', spawnSync('rclone', ['obscure', secret], { encoding: 'utf8' }).stdout.trim()],
    ]).status
  expect([list(), await statusOfLink()]).toEqual([0, 200])

  await first.stop()
  const another = await browser.newContext()
  await logIn(new App(await another.newPage(), server.url), 'bob')
  await another.close()

  second.modify(`dn: ${dnOf('ann')}\nchangetype: modify\nreplace: shadowExpire\nshadowExpire: 1\n`)
  const compare = () => call(server, '/api/directories/corp/sync', { method: 'POST', token: admin.token })
  expect(json(await compare())).toMatchObject({ state: 'good', missing: 1, closed: 0 })
  expect([list(), await statusOfLink()]).toEqual([0, 200])
  expect(json(await compare())).toMatchObject({ state: 'good', closed: 1 })
  expect(list()).not.toBe(0)
  expect(await statusOfLink()).toBe(404)
  // The open page has ended, too.
  await expect(page.getByLabel('Username')).toBeVisible()

  await second.stop()
  const began = performance.now()
  await app.logIn(server.adminPassword)
  await expect(page.getByRole('link', { name: 'Settings' }).first()).toBeVisible()
  expect(performance.now() - began).toBeLessThan(15_000)
  await page.goto('about:blank')
  await server.stop()
  await Promise.all([first.close(), second.close()])
  await rm(home, { recursive: true, force: true })
})
