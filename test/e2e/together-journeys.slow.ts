import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Locator } from '@playwright/test'
import type { Mount } from '../../shared/api/mounts.ts'
import { GOOD_PASSWORD, type Manager, manager, newcomer, perm, send } from '../api/accounts.ts'
import { call, json, signIn } from '../api/client.ts'
import { mayMount, mountSmallDisk, unmount } from '../api/disks.ts'
import { makeHome, type OwnServer, startServer, uniqueName } from '../api/harness.ts'
import { App } from './app.ts'
import { expectAccessible } from './axe.ts'
import { expect, logInOnce, test } from './fixtures.ts'
import { choose, makeFile } from './sending.ts'
import { localFolder } from './trees.ts'
import { expectText, typeInstead } from './typing.ts'

/** Two users at once, each in a browser of their own: Ann at a desk, Bob with a phone. */
const DESK = { viewport: { width: 1280, height: 800 } }
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
const MiB = 2 ** 20
const ALL = ['download', 'create', 'rename', 'modify', 'delete', 'share']

type Other = Awaited<ReturnType<typeof newcomer>>

async function pageOf(browser: Browser, server: OwnServer, token: string, device = DESK): Promise<App> {
  const context = await browser.newContext({ ...device, reducedMotion: 'reduce' })
  await context.addInitScript(logInOnce, token)
  return new App(await context.newPage(), server.url)
}

/** Waits for a page that has opened its stream of events. */
async function ready(app: App): Promise<void> {
  await expect(app.row('docs')).toBeVisible()
  await app.atRest()
}

/** What another user did shows in open pages; prints the milliseconds, of which an idle machine takes less than 1000. */
async function soon(what: string, one: App, other: App, shown: (app: App) => Locator): Promise<void> {
  const began = performance.now()
  const times = await Promise.all(
    [one, other].map(async app => {
      await expect(shown(app)).toBeVisible()
      return Math.round(performance.now() - began)
    }),
  )
  console.log(`${what} shows after ${times.join(' and ')} ms`)
}

/** Keeps a picture of what both see, to be looked at after the run. */
async function sight(name: string, ...apps: App[]): Promise<void> {
  for (const [index, { page }] of apps.entries())
    await page.screenshot({ path: test.info().outputPath(`${name}-${index + 1}.png`) })
}

/** A user with a home directory of their own. */
async function userOf(server: OwnServer, admin: Manager, name: string): Promise<Other> {
  const scope = `/${uniqueName(name)}`
  await mkdir(join(server.root, scope, 'docs'), { recursive: true })
  const every = perm('create', 'download', 'modify', 'delete', 'rename', 'share')
  return newcomer(server, admin, { scope, perm: every })
}

async function groupOf(server: OwnServer, admin: Manager, ...members: Other[]): Promise<{ id: number; name: string }> {
  const body = { name: uniqueName('staff'), description: '', perm: {}, rules: [] }
  const group = json(await send(server, 'POST', '/api/groups', admin.token, body))
  for (const { id } of members) await send(server, 'PUT', `/api/groups/${group.id}/members/${id}`, admin.token)
  return group
}

async function mountFor(server: OwnServer, admin: Manager, group: number, of: { name: string; root: string }) {
  const made = json(await send(server, 'POST', '/api/mounts', admin.token, { ...of, folder: '/' })) as Mount
  const access = `/api/mounts/${made.id}/access/group/${group}`
  const give = async (rights: readonly string[]) =>
    expect((await send(server, 'PUT', access, admin.token, { rights })).status).toBe(204)
  return { id: made.id, give }
}

/** A server with further roots. */
async function serverWith(...roots: string[]): Promise<{ server: OwnServer; home: string }> {
  const home = await makeHome()
  for (const root of roots) await mkdir(join(home, root), { recursive: true })
  const of = Object.fromEntries(roots.map(root => [root, join(home, root)]))
  await writeFile(join(home, 'roots.json'), JSON.stringify({ roots: of }))
  return { server: await startServer({ home, args: ['--config', join(home, 'roots.json')] }), home }
}

test('E a team folder comes to both members at once, a rule hides a part from one, and a right that the group loses stops a deletion', async ({
  browser,
}) => {
  const { server, home } = await serverWith('disk')
  const MANY = 1500
  await mkdir(join(home, 'disk/payroll'), { recursive: true })
  await mkdir(join(home, 'disk/old'))
  await writeFile(join(home, 'disk/plan.txt'), 'a plan')
  for (let number = 0; number < MANY; number += 1) await writeFile(join(home, 'disk/old', `${number}.txt`), 'old')
  try {
    const admin = await manager(server)
    const [annIs, bobIs] = [await userOf(server, admin, 'ann'), await userOf(server, admin, 'bob')]
    const staff = await groupOf(server, admin, annIs, bobIs)
    const ann = await pageOf(browser, server, annIs.token)
    const bob = await pageOf(browser, server, bobIs.token, PHONE)
    for (const app of [ann, bob]) await app.open('/files/')
    for (const app of [ann, bob]) {
      await expect(app.row('docs')).toBeVisible()
      await app.atRest()
    }

    const mount = await mountFor(server, admin, staff.id, { name: 'Team', root: 'disk' })
    await mount.give(ALL)
    await soon('a team folder', ann, bob, app => app.row('Team'))
    await sight('E1-mount', ann, bob)

    const rules = [{ regex: false, allow: false, path: '/Team/payroll', regexp: null }]
    expect((await admin.update(bobIs.id, ['rules'], { rules })).status).toBe(200)
    await ann.row('Team').dblclick()
    await bob.row('Team').tap()
    await expect(ann.row('payroll')).toBeVisible()
    await expect(bob.row('old')).toBeVisible()
    await expect(bob.row('payroll')).toHaveCount(0)
    await sight('E2-rule', ann, bob)
    await expectAccessible(bob.page)
    const why = await pageOf(browser, server, await signIn(server))
    await why.open(`/settings/users/${bobIs.id}`)
    await why.page.getByRole('button', { name: 'Explain these permissions' }).click()
    await why.dialog.getByLabel('Path').fill('/Team/payroll')
    await expect(why.dialog).toContainText('This is denied.')
    await expect(why.dialog).toContainText("Decided by one of this user's rules.")
    await sight('E2-why', why)
    await why.page.context().close()

    await bob.open('/files/Team/old/')
    await expect(bob.rows.first()).toBeVisible()
    await bob.page.keyboard.press('ControlOrMeta+a')
    await bob.page.keyboard.press('Delete')
    await expect.poll(async () => (await leftIn(home)) < MANY - 20).toBe(true)
    await mount.give(['download', 'create'])
    await expect(bob.page.getByText(/not deleted|could not be deleted|couldn't be deleted/i).first()).toBeVisible()
    const left = await leftIn(home)
    expect(left).toBeGreaterThan(0)
    await sight('E3-stopped', ann, bob)
    await bob.page.waitForTimeout(500)
    expect(await leftIn(home)).toBe(left)
    await expectAccessible(bob.page)
  } finally {
    await server.stop()
  }
})

const leftIn = async (home: string): Promise<number> =>
  Number(execFileSync('sh', ['-c', `ls -1 ${join(home, 'disk/old')} | wc -l`], { encoding: 'utf8' }))

test('F one word is found in all roots, a disk that goes away leaves the others, and a user with one root notices nothing', async ({
  browser,
}) => {
  test.skip(!mayMount(), 'disks cannot be mounted here')
  const { server, home } = await serverWith('media', 'disk')
  const media = join(home, 'media')
  mountSmallDisk(media, 2 * MiB)
  try {
    const admin = await manager(server)
    const [annIs, bobIs] = [await userOf(server, admin, 'ann'), await userOf(server, admin, 'bob')]
    const staff = await groupOf(server, admin, annIs)
    const { scope } = json(await admin.get(annIs.id))
    const folders = [join(server.root, scope, 'docs'), media, join(home, 'disk')]
    for (const [number, folder] of folders.entries()) await writeFile(join(folder, `lighthouse ${number}.txt`), 'x')
    const given = await mountFor(server, admin, staff.id, { name: 'Media', root: 'media' })
    await given.give(['download'])
    await (await mountFor(server, admin, staff.id, { name: 'Team', root: 'disk' })).give(ALL)
    const ann = await pageOf(browser, server, annIs.token)
    const bob = await pageOf(browser, server, bobIs.token, PHONE)

    await ann.open('/search?q=lighthouse')
    const hits = ann.page.getByRole('row').filter({ hasText: 'lighthouse' })
    await expect(hits).toHaveCount(3)
    await sight('F1-found', ann)
    await expectAccessible(ann.page)
    await ann.open('/files/Media/')
    await expect(ann.row('lighthouse 1.txt')).toBeVisible()
    await expect(ann.button('New')).toHaveCount(0)

    expect(unmount(media)).toBe(true)
    await ann.page.reload()
    await expect(ann.page.getByText("The server can't do this right now.", { exact: false })).toBeVisible()
    await sight('F3-away', ann)
    await expectAccessible(ann.page)
    await ann.open('/files/Team/')
    await expect(ann.row('lighthouse 2.txt')).toBeVisible()
    await ann.open('/files/')
    await ready(ann)
    await ann.row('docs').dblclick()
    await expect(ann.row('lighthouse 0.txt')).toBeVisible()

    await bob.open('/files/')
    await ready(bob)
    expect(await bob.names()).toEqual(['docs'])
    await sight('F5-one-root', bob)
    await expectAccessible(bob.page)
  } finally {
    await server.end()
    unmount(media)
    await server.stop()
  }
})

test('G a group reads and edits what a user shares with it, who sees who did; a lost right keeps what is typed; a link follows the folder', async ({
  browser,
}) => {
  const server = await startServer()
  try {
    const admin = await manager(server)
    const [annIs, bobIs] = [await userOf(server, admin, 'ann'), await userOf(server, admin, 'bob')]
    const family = await groupOf(server, admin, annIs, bobIs)
    const { scope } = json(await admin.get(annIs.id))
    await mkdir(join(server.root, scope, 'Trip'))
    await writeFile(join(server.root, scope, 'Trip/plan.txt'), 'by train')
    const ann = await pageOf(browser, server, annIs.token)
    const bob = await pageOf(browser, server, bobIs.token, PHONE)
    for (const app of [ann, bob]) await app.open('/files/')
    for (const app of [ann, bob]) await ready(app)

    await ann.row('Trip').click()
    await ann.button('Share').click()
    await ann.dialog.getByLabel('Name of a user or group').fill(family.name)
    await expect(ann.dialog.getByRole('button', { name: `Share ${family.name}` })).toBeVisible()
    await ann.page.keyboard.press('Enter')
    const rights = ann.dialog.getByLabel(`Permissions of ${family.name}`)
    await expect(rights).toHaveValue('view')
    await rights.selectOption('Edit')
    await expect(rights).toHaveValue('edit')
    await expect(bob.row('Shared with me')).toBeVisible()
    await sight('G1-shared', ann, bob)
    await ann.page.keyboard.press('Escape')

    await bob.row('Shared with me').tap()
    await bob.row('Trip').tap()
    await bob.row('plan.txt').tap()
    await expect(bob.page.getByText('by train')).toBeVisible()
    await bob.button('Edit').tap()
    await typeInstead(bob.page, 'by bicycle')
    await bob.button('Save').tap()
    const plan = join(server.root, scope, 'Trip/plan.txt')
    await expect.poll(() => readFile(plan, 'utf8')).toBe('by bicycle')
    await ann.row('Trip').dblclick()
    await ann.row('plan.txt').click()
    await ann.page.keyboard.press('Control+i')
    const details = ann.page.getByRole('complementary', { name: 'Details' })
    await details
      .getByRole('tab', { name: 'Activity' })
      .or(details.getByRole('button', { name: 'Activity' }))
      .click()
    await expect(details.getByText(bobIs.name).first()).toBeVisible()
    await sight('G1-who', ann, bob)
    await expectAccessible(ann.page)

    const token = await signIn(server, annIs.name, GOOD_PASSWORD)
    const [grant] = json(await send(server, 'GET', '/api/grants', token))
    const taken = { rights: ['download'] }
    await typeInstead(bob.page, 'on foot')
    expect((await send(server, 'PATCH', `/api/grants/${grant.id}`, token, taken)).status).toBeLessThan(300)
    await expect(bob.page.getByText('You can read this file, but not change it.')).toBeVisible()
    await expectText(bob.page, 'on foot')
    expect(await readFile(plan, 'utf8')).toBe('by bicycle')
    await sight('G1-lost', ann, bob)

    const made = await call(server, '/api/share/Trip/', { method: 'POST', token, body: '{}' })
    const visitor = await browser.newContext({ ...PHONE })
    const page = await visitor.newPage()
    await page.goto(`${server.url}/share/${json(made).hash}`)
    await expect(page.getByText('plan.txt')).toBeVisible()
    await ann.open('/files/')
    await ann.row('Trip').click()
    await ann.page.keyboard.press('F2')
    await ann.page.keyboard.press('ControlOrMeta+A')
    await ann.page.keyboard.type('Our trip')
    await ann.page.keyboard.press('Enter')
    await expect(ann.row('Our trip')).toBeVisible()
    await page.reload()
    await expect(page.getByText('plan.txt')).toBeVisible()
    await page.screenshot({ path: test.info().outputPath('G4-link.png') })
    await expectAccessible(page)

    const boss = await pageOf(browser, server, await signIn(server))
    await boss.open('/settings/shares?only=open')
    await expect(boss.page.getByRole('row').filter({ hasText: 'Our trip' })).toBeVisible()
    await sight('G5-links', boss)
    await boss.page.getByRole('button', { name: /^Delete .*Our trip/ }).click()
    await boss.dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(boss.page.getByRole('row').filter({ hasText: 'Our trip' })).toHaveCount(0)
    await page.reload()
    await expect(page.getByText('This link no longer works')).toBeVisible()
    await page.screenshot({ path: test.info().outputPath('G5-ended.png') })
  } finally {
    await server.stop()
  }
})

test('H a quota is kept to the byte by twenty pages at once, falls on the other device, and once it is raised what was refused arrives', async ({
  browser,
}) => {
  test.setTimeout(600_000)
  const server = await startServer()
  const local = await localFolder('quota')
  const TABS = 20
  try {
    const admin = await manager(server)
    const annIs = await userOf(server, admin, 'ann')
    const staff = await groupOf(server, admin, annIs)
    const limit = (bytes: number) => send(server, 'PUT', `/api/quotas/groups/${staff.id}`, admin.token, { bytes })
    // A page exchanges its token for others.
    const token = await signIn(server, annIs.name, GOOD_PASSWORD)
    const quota = async () => json(await send(server, 'GET', '/api/quota', token))
    expect((await limit(100 * MiB)).status).toBe(204)
    await expect.poll(async () => (await quota()).exact).toBe(true)
    const desk = await pageOf(browser, server, annIs.token)
    const phone = await pageOf(browser, server, await signIn(server, annIs.name, GOOD_PASSWORD), PHONE)
    for (const app of [desk, phone]) await app.open('/files/')
    for (const app of [desk, phone]) await ready(app)
    const meter = (app: App, text: string) => app.page.getByText(text, { exact: true }).filter({ visible: true })
    await phone.page.getByRole('button', { name: 'Sidebar' }).tap()

    await makeFile(join(local.path, 'large.bin'), 200 * MiB)
    const sent: string[] = []
    desk.page.on('request', request => request.method() !== 'GET' && sent.push(request.url()))
    await choose(desk, 'Files', join(local.path, 'large.bin'))
    await expect(desk.page.getByText("1 file doesn't fit")).toBeVisible()
    expect(sent.filter(url => url.includes('large.bin'))).toEqual([])
    await sight('H1-refused', desk, phone)
    await expectAccessible(desk.page)
    await desk.page.keyboard.press('Escape')

    await makeFile(join(local.path, 'part.bin'), 6 * MiB)
    const { scope } = json(await admin.get(annIs.id))
    const tabs: App[] = []
    for (let number = 0; number < TABS; number += 1) {
      await mkdir(join(server.root, scope, `tab ${number}`))
      const app = await pageOf(browser, server, await signIn(server, annIs.name, GOOD_PASSWORD))
      await app.openFolder(`/tab ${number}`)
      tabs.push(app)
    }
    for (const app of tabs) await choose(app, 'Files', join(local.path, 'part.bin'))
    await expect.poll(async () => (await quota()).reserved, { timeout: 300_000 }).toBe(0)
    await expect.poll(async () => (await quota()).used, { timeout: 300_000 }).toBe(16 * 6 * MiB)
    for (const app of tabs) await app.page.context().close()
    await expect(meter(phone, '96 MiB of 100 MiB')).toBeVisible()
    await sight('H3-full', desk, phone)

    await desk.open('/files/')
    const full = [...tabs.keys()].filter(number => existsSync(join(server.root, scope, `tab ${number}`, 'part.bin')))
    expect(full).toHaveLength(16)
    await desk.row(`tab ${full[0]}`).click()
    await desk.page.keyboard.press('Delete')
    const began = performance.now()
    await expect(meter(phone, '90 MiB of 100 MiB')).toBeVisible()
    console.log(`the meter of the other device falls after ${Math.round(performance.now() - began)} ms`)
    await sight('H2-fallen', desk, phone)

    await makeFile(join(local.path, 'more.bin'), 12 * MiB)
    await choose(desk, 'Files', join(local.path, 'more.bin'))
    await expect(desk.page.getByText("1 file doesn't fit")).toBeVisible()
    await limit(200 * MiB)
    await desk.page.keyboard.press('Escape')
    await expect(meter(phone, '90 MiB of 200 MiB')).toBeVisible()
    await choose(desk, 'Files', join(local.path, 'more.bin'))
    await expect(desk.row('more.bin')).toBeVisible()
    await expect.poll(async () => (await quota()).used).toBe(102 * MiB)
    await sight('H5-raised', desk, phone)
    await expectAccessible(phone.page)
  } finally {
    await local.remove()
    await server.stop()
  }
})
