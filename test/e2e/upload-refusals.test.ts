import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forbidWriting, mountSmallDisk, unmount } from '../api/disks.ts'
import { makeHome, startServer } from '../api/harness.ts'
import { App } from './app.ts'
import { expect } from './fixtures.ts'
import { choose, makeFile, network, sent, sha256, slowDown, test } from './sending.ts'

/** The row of one upload in the panel. */
const upload = (app: App, name: string) => app.uploads.getByRole('listitem').filter({ hasText: name })

test('a folder deleted during an upload is reported, the rest continues, and “Retry” sends it completely', async ({
  app,
  page,
  corner,
  local,
}) => {
  await mkdir(join(corner.disk, 'in/deep'), { recursive: true })
  await mkdir(join(local, 'in/deep'), { recursive: true })
  const hash = await makeFile(join(local, 'in/deep/big.bin'), 30_000_000)
  await writeFile(join(local, 'in/small.txt'), 'small')
  await app.openFolder(corner.path)
  const session = await network(page)
  await slowDown(session, 6_000_000)
  await choose(app, 'Folder', join(local, 'in'))
  await expect.poll(() => sent(app)).toBeGreaterThan(11)
  await rm(join(corner.disk, 'in/deep'), { recursive: true })
  await slowDown(session, -1)
  await expect(upload(app, 'big.bin')).toContainText('The folder no longer exists.')
  await expect(app.uploads).toContainText('1 uploaded · 1 failed')
  expect(await readFile(join(corner.disk, 'in/small.txt'), 'utf8')).toBe('small')
  await app.uploads.getByRole('button', { name: 'Retry big.bin' }).press('Enter')
  await app.uploadsEnd()
  expect(sha256(await readFile(join(corner.disk, 'in/deep/big.bin')))).toBe(hash)
  await expect.poll(() => readdir(join(corner.disk, 'in/deep'))).toEqual(['big.bin'])
})

test('a folder that became read-only, and one that became a link to elsewhere, refuse only the files in them', async ({
  app,
  corner,
  local,
}) => {
  const elsewhere = join(tmpdir(), `filigree-elsewhere-${corner.name}`)
  await mkdir(elsewhere)
  for (const folder of ['closed', 'link', 'open']) {
    await mkdir(join(local, 'all', folder), { recursive: true })
    await mkdir(join(corner.disk, 'all', folder), { recursive: true })
    await writeFile(join(local, 'all', folder, `${folder}.txt`), folder)
  }
  await app.openFolder(corner.path)
  const allowWriting = forbidWriting(join(corner.disk, 'all/closed'))
  await rename(join(corner.disk, 'all/link'), join(corner.disk, 'moved'))
  await symlink(elsewhere, join(corner.disk, 'all/link'))
  await choose(app, 'Folder', join(local, 'all'))
  await expect(upload(app, 'closed.txt')).toContainText(/can't be written to|don't have permission/)
  await expect(upload(app, 'link.txt')).toContainText('It points outside your files.')
  await expect.poll(() => readFile(join(corner.disk, 'all/open/open.txt'), 'utf8')).toBe('open')
  expect(await readdir(elsewhere)).toEqual([])
  allowWriting()
  await rm(join(corner.disk, 'all/link'))
  await app.uploads.getByRole('button', { name: 'Retry all' }).click()
  await app.uploadsEnd()
  expect(await readFile(join(corner.disk, 'all/closed/closed.txt'), 'utf8')).toBe('closed')
  expect(await readFile(join(corner.disk, 'all/link/link.txt'), 'utf8')).toBe('link')
  await rm(elsewhere, { recursive: true })
})

test('a full disk refuses the files that do not fit, and stores those that do', async ({ page, local, server }) => {
  const home = await makeHome()
  const root = join(home, 'small')
  const MiB = 2 ** 20
  // Where nothing can be mounted, the system's file size limit simulates a full disk.
  const mounted = mountSmallDisk(root, 4 * MiB)
  const own = await startServer({ base: server.base, home, root, ...(mounted ? {} : { shell: 'ulimit -f 8192' }) })
  await makeFile(join(local, 'a large.bin'), 6 * MiB)
  await makeFile(join(local, 'b small.bin'), MiB)
  const app = new App(page, own.url)
  await app.open('/login')
  await app.logIn(own.adminPassword)
  await app.settled()
  const sent: string[] = []
  page.on('request', request => sent.push(`${request.method()} ${request.url()}`))
  await choose(app, 'Files', [join(local, 'a large.bin'), join(local, 'b small.bin')])
  await expect(upload(app, 'a large.bin')).toContainText('There is no space left on the server.')
  if (mounted) {
    const text = /^1 file doesn't fit: .*MiB is free on the disk\. Free up .*MiB, or upload less\.$/
    await expect(page.getByText(text)).toBeVisible()
    expect(sent.filter(request => /^(POST|PUT|PATCH).*large/.test(request))).toEqual([])
  }
  await expect(app.row('b small.bin')).toBeVisible()
  await expect.poll(() => readdir(root)).toEqual(['b small.bin'])
  // An open page may still load parts of itself.
  await page.goto('about:blank')
  await own.end()
  if (mounted) unmount(root)
  await own.stop()
})

test('a name taken a second ago prompts, with the keyboard, and nothing is replaced unseen', async ({
  app,
  page,
  corner,
  local,
}) => {
  await writeFile(join(local, 'report.txt'), 'mine')
  await page.route('**/api/resources/**/report.txt?*', async route => {
    await writeFile(join(corner.disk, 'report.txt'), 'of another user', { flag: 'wx' }).catch(() => undefined)
    await route.continue()
  })
  await app.openFolder(corner.path)
  await choose(app, 'Files', join(local, 'report.txt'))
  await expect(app.dialog).toContainText('1 file already exists')
  await expect(app.button('Continue')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await expect(app.dialog.getByLabel('Action for report.txt')).toBeFocused()
  await page.keyboard.type('Keep')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(app.row('report(1).txt')).toBeVisible()
  expect(await readFile(join(corner.disk, 'report.txt'), 'utf8')).toBe('of another user')
  expect(await readFile(join(corner.disk, 'report(1).txt'), 'utf8')).toBe('mine')
})
