import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { GOOD_PASSWORD, manager, newcomer, perm } from '../api/accounts.ts'
import { call, json } from '../api/client.ts'
import { jobsOf as jobsClient } from '../api/jobs-client.ts'
import { expectAccessible, expectAccessibleInBoth, expectFineOnAPhoneAndInArabic } from './axe.ts'
import { becomeOther, expect, test } from './fixtures.ts'

const jobsOf = (page: Page) => page.getByRole('region', { name: 'Jobs' })

/** A folder that takes some seconds to be copied, if there are tens of thousands. */
async function plantMany(folder: string, files: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (let start = 0; start < files; start += 500) {
    const some = Array.from({ length: Math.min(500, files - start) }, (_, index) => `${start + index}.txt`)
    await Promise.all(some.map(name => writeFile(join(folder, name), name)))
  }
}

test('a long copy shows its progress, survives a reload, can be paused, and cancelled without a trace', async ({
  app,
  page,
  corner,
}) => {
  await plantMany(join(corner.disk, 'many'), 30_000)
  await mkdir(join(corner.disk, 'to'))
  await app.openFolder(corner.path)
  await app.row('many').click()
  await page.keyboard.press('Control+c')
  await app.row('to').dblclick()
  await expect(page.getByText('It feels lonely here…')).toBeVisible()
  await page.keyboard.press('Control+v')
  const jobs = jobsOf(page)
  await expect(jobs).toContainText('Copying many to “to”')
  await expect(jobs).toContainText(/KiB of/)
  await page.reload()
  await expect(jobs).toContainText('1 job is running')
  await expect(page.getByText('It feels lonely here…')).toBeVisible()
  await jobs.getByRole('button', { name: 'Pause: Copying many to “to”' }).press('Enter')
  await expect(jobs).toContainText('Paused')
  await expect(page.getByText('Resume: Copying many to “to”').filter({ visible: true })).toBeVisible()
  const otherTab = await page.context().newPage()
  await otherTab.goto(page.url())
  await expect(jobsOf(otherTab)).toContainText('Paused')
  await otherTab.close()
  await expectAccessible(page)
  await page.keyboard.press('Control+z')
  await expect(page.getByText('This is not possible. Still in progress')).toBeVisible()
  await jobs.getByRole('button', { name: 'Resume: Copying many to “to”' }).press('Enter')
  await expect(jobs).toContainText('1 job is running')
  await jobs.getByRole('button', { name: 'Cancel: Copying many to “to”' }).click()
  await expect(jobs).toContainText('Cancelled')
  await expect.poll(() => readdir(join(corner.disk, 'to'))).toEqual([])
  await jobs.getByRole('button', { name: 'Clear finished' }).click()
  await expect(jobs).toHaveCount(0)
})

test('a long copy of a WebDAV program shows among the jobs, where it is cancelled', async ({
  app,
  page,
  corner,
  server,
}) => {
  await plantMany(join(corner.disk, 'many'), 30_000)
  await app.openFolder(corner.path)
  const at = `${server.url}/dav${corner.path}`
  const headers = { Authorization: `Basic ${btoa(`admin:${server.adminPassword}`)}`, Destination: `${at}/copy` }
  const copying = fetch(`${at}/many`, { method: 'COPY', headers })
  const jobs = jobsOf(page)
  await expect(jobs).toContainText('Copying many')
  await expect(jobs).toContainText('WebDAV')
  await jobs.getByRole('button', { name: /^Cancel: Copying many/ }).click()
  await expect(jobs).toContainText('Cancelled')
  expect((await copying).status).toBe(403)
  await expect.poll(() => readdir(corner.disk)).toEqual(['many'])
  await jobs.getByRole('button', { name: 'Clear finished' }).click()
  await expect(jobs).toHaveCount(0)
})

test('many items are moved with one call, each by its own decision', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'to'))
  for (const name of ['same.txt', 'other.txt', 'free.txt', 'too.txt']) {
    await writeFile(join(corner.disk, name), name)
  }
  await writeFile(join(corner.disk, 'to/same.txt'), 'same.txt')
  await writeFile(join(corner.disk, 'to/other.txt'), 'older')
  const calls: string[] = []
  page.on('request', request => request.method() !== 'GET' && calls.push(new URL(request.url()).pathname))
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+a')
  await app.row('to').click({ modifiers: ['Control'] })
  await page.keyboard.press('Control+x')
  await app.row('to').dblclick()
  await expect(app.row('free.txt')).toHaveCount(0)
  await expect(app.row('same.txt')).toBeVisible()
  await page.keyboard.press('Control+v')
  await expect(app.dialog).toContainText('2 items already exist')
  await app.dialog.getByLabel('Apply to all 2 items').selectOption('Skip if identical')
  await page.keyboard.press('Enter')
  await expect(app.dialog).toHaveCount(0)
  await expect.poll(() => readdir(corner.disk)).toEqual(['same.txt', 'to'])
  await expect.poll(() => readFile(join(corner.disk, 'to/other.txt'), 'utf8')).toBe('other.txt')
  expect(calls.filter(path => path.endsWith('/api/jobs'))).toHaveLength(2)
  expect(calls.filter(path => path.includes('/api/resources'))).toEqual([])
})

test('a deletion is scheduled with the keyboard, is listed after a reload, and is cancelled', async ({
  app,
  page,
  corner,
  server,
}) => {
  await writeFile(join(corner.disk, 'kept.txt'), 'kept')
  // Without the jobs of other tests.
  const fields = { perm: perm('delete'), scope: corner.path }
  const { token } = await newcomer(server, await manager(server), fields)
  await becomeOther(page, token)
  await app.open('/files/')
  await app.settled()
  await app.row('kept.txt').click()
  await page.keyboard.press('Shift+Delete')
  await expect(app.dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(app.dialog.getByRole('button', { name: 'Later…' })).toBeFocused()
  await page.keyboard.press('Enter')
  const when = app.dialog.getByLabel('When')
  await expect(when).toBeFocused()
  await expectAccessibleInBoth(page)
  await when.fill('2020-01-01T10:00')
  await page.keyboard.press('Enter')
  await expect(app.dialog).toContainText('Choose a time in the future.')
  await app.dialog.getByRole('button', { name: 'Tomorrow at 8 AM' }).click()
  await when.press('Enter')
  await expect(app.dialog).toHaveCount(0)
  const jobs = jobsOf(page)
  const button = page.getByRole('button', { name: 'Jobs · 1 scheduled job', exact: true })
  await expect(button).toHaveAttribute('data-count', '1')
  await page.reload()
  await button.press('Enter')
  await expect(jobs).toContainText('1 scheduled job')
  await expect(jobs).toContainText('Deleting kept.txt')
  await expect(jobs.getByRole('button', { name: 'Show less' })).toBeFocused()
  await jobs.getByRole('button', { name: 'Dismiss', exact: true }).press('Enter')
  await expect(jobs).toHaveCount(0)
  await button.press('Enter')
  await expect(jobs).toContainText(/Starts .*8:00/)
  await jobs.getByRole('button', { name: 'Cancel: Deleting kept.txt' }).press('Enter')
  await jobs.getByRole('button', { name: 'Dismiss: Deleting kept.txt' }).click()
  await expect(jobs).toHaveCount(0)
  await expect(button).toHaveCount(0)
  await expect.poll(() => readdir(corner.disk)).toEqual(['kept.txt'])
})

test('conflicts of a scheduled copy are decided one by one, and applied when it runs', async ({
  app,
  page,
  corner,
}) => {
  for (const top of ['.', 'to']) {
    await mkdir(join(corner.disk, top, 'trip/day'), { recursive: true })
    for (const name of ['a.txt', 'trip/day/both.txt', 'trip/day/new.txt', 'trip/day/old.txt'])
      await writeFile(join(corner.disk, top, name), `${name} from ${top}`)
  }
  await writeFile(join(corner.disk, 'trip/day/free.txt'), 'free')
  await page.route('**/api/jobs', (route, request) => {
    if (request.method() !== 'POST') return route.fallback()
    return route.continue({ postData: JSON.stringify({ ...request.postDataJSON(), runAt: new Date().toISOString() }) })
  })
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await app.row('trip').click({ modifiers: ['Control'] })
  await app.row('trip').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy to…' }).click()
  await app.dialog.getByRole('treeitem', { name: 'to', exact: true }).click()
  await app.dialog.getByRole('button', { name: 'Later…' }).click()
  await expect(app.dialog).toContainText('5 items already exist')
  await expectAccessibleInBoth(page)
  const choice = (name: string) => app.dialog.getByLabel(`Action for ${name}`, { exact: true })
  await expect(choice('trip').locator('option:checked')).toHaveText('Merge')
  await expect(choice('trip/day/old.txt')).toHaveValue('keepBoth')
  await app.dialog.getByLabel('If an item with the same name exists').selectOption('Skip')
  await expect(choice('trip/day/old.txt')).toHaveValue('skip')
  await choice('trip/day/both.txt').selectOption('Keep both')
  await choice('trip/day/new.txt').selectOption('Replace')
  await app.dialog.getByLabel('When').press('Enter')
  await expect(app.dialog).toHaveCount(0)
  const day = join(corner.disk, 'to/trip/day')
  await expect
    .poll(async () => (await readdir(day)).sort())
    .toEqual(['both(1).txt', 'both.txt', 'free.txt', 'new.txt', 'old.txt'])
  await expect.poll(() => readFile(join(day, 'new.txt'), 'utf8')).toBe('trip/day/new.txt from .')
  expect(await readFile(join(day, 'both.txt'), 'utf8')).toBe('trip/day/both.txt from to')
  expect(await readFile(join(day, 'old.txt'), 'utf8')).toBe('trip/day/old.txt from to')
  expect(await readFile(join(corner.disk, 'to/a.txt'), 'utf8')).toBe('a.txt from to')
})

test('a job that was done before the page was opened covers nothing, and is listed behind the button', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  await writeFile(join(corner.disk, 'early.txt'), 'x')
  const items = [{ from: `${corner.path}/early.txt`, to: `${corner.path}/copy of early.txt` }]
  const body = JSON.stringify({ kind: 'copy', items, runAt: new Date().toISOString() })
  const { id } = json(await call(server, '/api/jobs', { method: 'POST', token, body }))
  const state = async () => json(await call(server, `/api/jobs/${id}`, { token })).state
  await expect.poll(state).toBe('done')
  await app.openFolder(corner.path)
  const activities = page.getByRole('button', { name: /^Jobs/ })
  await expect(activities).toBeVisible()
  await expect(jobsOf(page)).toBeHidden()
  await activities.click()
  await expect(jobsOf(page)).toContainText('early.txt')
  await call(server, `/api/jobs/${id}`, { method: 'DELETE', token })
})

test('the panel has no axe violations with jobs that are done, failed, scheduled and paused', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  await writeFile(join(corner.disk, 'a.txt'), 'a')
  const order = async (from: string, hours: number) => {
    const items = [{ from: `${corner.path}/${from}`, to: `${corner.path}/copy of ${from}` }]
    const runAt = new Date(Date.now() + hours * 3_600_000).toISOString()
    const body = JSON.stringify({ kind: 'copy', items, runAt })
    return json(await call(server, '/api/jobs', { method: 'POST', token, body })).id
  }
  await order('a.txt', 0)
  await order('missing.txt', 0)
  await order('later.txt', 1)
  const paused = await order('paused.txt', 2)
  await call(server, `/api/jobs/${paused}`, { method: 'PATCH', token, body: JSON.stringify({ paused: true }) })
  await app.openFolder(corner.path)
  const jobs = jobsOf(page)
  await page.getByRole('button', { name: /^Jobs · 2 scheduled jobs/ }).click()
  for (const text of ['1 done', '1 failed', 'Starts ', 'Paused']) await expect(jobs).toContainText(text)
  await jobs.getByRole('listitem').filter({ hasText: 'missing.txt' }).getByRole('button', { name: 'Details' }).click()
  await expect(jobs).toContainText('It no longer exists.')
  await expectAccessibleInBoth(page)
  await expectFineOnAPhoneAndInArabic(app, token)
  const listed: { id: string }[] = JSON.parse((await call(server, '/api/jobs', { token })).text)
  for (const { id } of listed) {
    await call(server, `/api/jobs/${id}/cancel`, { method: 'POST', token })
    await call(server, `/api/jobs/${id}`, { method: 'DELETE', token })
  }
})

test('scheduled jobs survive signing out everywhere, unless the box next to it is ticked; then they give the reason', async ({
  app,
  page,
  corner,
  server,
}) => {
  await writeFile(join(corner.disk, 'kept.txt'), 'kept')
  const other = await newcomer(server, await manager(server), { scope: corner.path, perm: perm('delete', 'download') })
  const { ask } = jobsClient(server, other)
  const runAt = new Date(Date.now() + 3_600_000).toISOString()
  expect((await ask({ kind: 'delete', items: [{ from: '/kept.txt' }], runAt })).status).toBe(202)
  await becomeOther(page, other.token)
  const leave = async (ticked: boolean) => {
    await app.open('/settings/security')
    await page.getByRole('checkbox', { name: 'Also cancel scheduled jobs (1)' }).setChecked(ticked)
    await app.button('Log out everywhere').click()
    await app.isAt('/login')
    await app.logIn(GOOD_PASSWORD, other.name)
    await app.settled()
  }
  await leave(false)
  await page.getByRole('button', { name: 'Jobs · 1 scheduled job', exact: true }).click()
  await expect(jobsOf(page)).toContainText(/Deleting kept.txt.*Starts/)
  await leave(true)
  await expect(jobsOf(page)).toContainText('Stopped: the session that started it was logged out.')
})
