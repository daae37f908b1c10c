import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { startEditing, typeInstead } from './typing.ts'

const LOCK =
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'

test('a file that a program locks is marked at once; a save shows who holds it, releases it and goes through', async ({
  app,
  page,
  corner,
  server,
}) => {
  const name = 'locked-by-a-program.txt'
  await writeFile(join(corner.disk, name), 'before')
  await app.openFolder(corner.path)
  await expect(app.row(name)).toBeVisible()
  const credentials = Buffer.from(`admin:${server.adminPassword}`).toString('base64')
  const headers = { Authorization: `Basic ${credentials}`, 'User-Agent': 'LibreOffice 7.4' }
  const taken = await fetch(`${server.url}/dav${corner.path}/${name}`, { method: 'LOCK', headers, body: LOCK })
  expect(taken.status).toBe(200)
  const mark = app.row(name).getByRole('img', { name: 'Locked: You with LibreOffice' })
  await expect(mark).toBeVisible()
  await app.row(name).click()
  await page.keyboard.press('Control+i')
  await expect(page.getByRole('definition').filter({ hasText: 'You with LibreOffice' })).toContainText('Since')
  await expectAccessibleInBoth(page)

  await app.row(name).dblclick()
  await startEditing(page)
  await typeInstead(page, 'after')
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: `${name} is locked` })
  await expect(dialog).toContainText('You with LibreOffice')
  await expect(dialog.getByRole('button', { name: 'Save a copy' })).toBeVisible()
  await expectAccessibleInBoth(page)
  await dialog.getByRole('button', { name: 'Release lock' }).click()
  await expect(dialog).toContainText('It is no longer locked.')
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await expect(dialog).toBeHidden()
  await expect.poll(() => readFile(join(corner.disk, name), 'utf8')).toBe('after')
})

test('the locks of a folder are loaded when changes of them arrive, and not before', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'inner'))
  const asked = { jobs: 0, locks: 0 }
  page.on('request', request => {
    if (request.url().endsWith('/api/jobs')) asked.jobs += 1
    if (request.url().includes('/api/locks/')) asked.locks += 1
  })
  await app.openFolder(corner.path)
  await app.atRest()
  // The jobs are loaded once for each start of the events, and for each poll where these are late.
  await expect.poll(() => asked.locks - asked.jobs).toBe(0)
  const followed = page.waitForRequest(request => /\/api\/events\?folder=.*inner/.test(request.url()))
  const locks = page.waitForRequest(request => request.url().endsWith(`/api/locks${corner.path}/inner`))
  await app.row('inner').dblclick()
  await Promise.all([followed, locks])
  await app.atRest()
  await expect.poll(() => asked.locks - asked.jobs).toBe(0)
})
