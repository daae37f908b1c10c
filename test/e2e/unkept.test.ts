import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { call } from '../api/client.ts'
import { keepNothing } from '../api/keep-nothing.ts'
import { expect } from './fixtures.ts'
import { choose, test } from './sending.ts'
import { startEditing, typeInstead } from './typing.ts'

// The disk of this server keeps nothing: other tests have another one.
test.use({ serverArgs: ['--versionsDays', '364'] })

const LOST = 'The storage there allows neither a second name nor a copy of it.'
/** The newest one: earlier notices stay for a while. */
const notice = (page: Page) => page.getByText('What was replaced could not be kept:').last()

let keepAgain = async () => {}
test.afterEach(() => keepAgain())

test.beforeEach(async ({ corner, server, token }) => {
  await writeFile(join(corner.disk, 'a.txt'), 'one')
  const save = () => call(server, `/api/resources${corner.path}/a.txt`, { method: 'PUT', token, body: 'two' })
  expect((await save()).headers.get('X-Kept')).not.toBe('no')
  keepAgain = await keepNothing(server, corner)
  expect((await save()).headers.get('X-Kept')).toBe('no')
})

test('what a save, an upload and a move could not keep is said in a notice, and in the history', async ({
  app,
  page,
  corner,
  local,
}) => {
  await app.openFolder(corner.path)
  await app.row('a.txt').dblclick()
  await startEditing(page)
  await typeInstead(page, 'three')
  await page.keyboard.press('Control+s')
  await expect(notice(page)).toHaveText(`What was replaced could not be kept: “a.txt”. ${LOST}`)

  for (const name of ['b.txt', 'c.txt']) {
    await writeFile(join(corner.disk, name), 'old')
    await writeFile(join(local, name), 'new')
  }
  await app.openFolder(corner.path)
  await expect(notice(page)).toHaveCount(0)
  await choose(app, 'Files', [join(local, 'b.txt'), join(local, 'c.txt')])
  await app.dialog.getByLabel('Apply to all 2 items').selectOption('Replace')
  await app.button('Continue').click()
  await expect(notice(page)).toHaveText(`What was replaced could not be kept: 2 items. ${LOST}`)

  await mkdir(join(corner.disk, 'from'))
  await writeFile(join(corner.disk, 'from/c.txt'), 'newer')
  await app.row('from').dblclick()
  await expect(app.row('a.txt')).toHaveCount(0)
  await app.row('c.txt').click()
  await page.keyboard.press('Control+x')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(app.row('a.txt')).toBeVisible()
  await page.keyboard.press('Control+v')
  await app.dialog.getByLabel('Action for c.txt').selectOption('Replace')
  await app.button('Continue').click()
  await expect(notice(page)).toHaveText(`What was replaced could not be kept: “c.txt”. ${LOST}`)
  expect(await readFile(join(corner.disk, 'c.txt'), 'utf8')).toBe('newer')

  await app.open(`/history/?path=${corner.path}`)
  await page.getByRole('button', { name: 'Saved “a.txt”' }).first().click()
  await expect(page.getByText('The earlier content was not kept').first()).toBeVisible()
})

test('a job in the background says in the list of jobs what it could not keep', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  const { disk, path } = corner
  await writeFile(join(disk, 'b.txt'), 'new')
  await app.openFolder(path)
  await expect(app.row('b.txt')).toBeVisible()
  const job = { kind: 'copy', items: [{ from: `${path}/b.txt`, to: `${path}/a.txt` }], conflict: 'replace' }
  const body = JSON.stringify({ ...job, runAt: new Date(Date.now() + 3000).toISOString() })
  const headers = { 'Content-Type': 'application/json' }
  expect((await call(server, '/api/jobs', { method: 'POST', token, headers, body })).status).toBe(202)
  const jobs = page.getByRole('region', { name: 'Jobs' })
  await expect(jobs).toContainText('Replaced content could not be kept')
  await jobs.getByRole('button', { name: 'Details' }).click()
  await expect(jobs.getByRole('list').last()).toContainText('b.txtReplaced content could not be kept')
  await expect(notice(page)).toHaveCount(0)
})

test('where the earlier content is kept, nothing is said', async ({ app, page, corner, server, token }) => {
  const { disk, path } = corner
  await mkdir(join(disk, 'sub'))
  await writeFile(join(disk, 'sub/d.txt'), 'one')
  await app.openFolder(`${path}/sub`)
  await app.row('d.txt').dblclick()
  await startEditing(page)
  await typeInstead(page, 'two')
  await page.keyboard.press('Control+s')
  await expect.poll(() => readFile(join(disk, 'sub/d.txt'), 'utf8')).toBe('two')
  await expect(page.getByText('Saved').first()).toBeVisible()
  const { text } = await call(server, `/api/versions${path}/sub/d.txt`, { token })
  expect(JSON.parse(text).items).toHaveLength(1)
  await expect(notice(page)).toHaveCount(0)
})
