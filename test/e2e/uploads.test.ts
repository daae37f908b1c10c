import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer } from '../api/harness.ts'
import { App } from './app.ts'
import { expect } from './fixtures.ts'
import { choose, DATE, makeFile, network, sent, sha256, slowDown, test } from './sending.ts'

test('a large file resumes after a pause and minutes without a network, in chunks with checksums, and keeps its date', async ({
  app,
  page,
  corner,
  local,
}) => {
  const hash = await makeFile(join(local, 'big.bin'), 30_000_000)
  const pieces: { offset: number; checksum: string | undefined }[] = []
  page.on('request', request => {
    const headers = request.headers()
    if (request.method() !== 'PATCH') return
    pieces.push({ offset: Number(headers['upload-offset']), checksum: headers['upload-checksum'] })
  })
  await page.clock.install()
  await app.openFolder(corner.path)
  const session = await network(page)
  await slowDown(session, 6_000_000)
  await choose(app, 'Files', join(local, 'big.bin'))
  await expect.poll(() => sent(app)).toBeGreaterThan(11)
  await app.uploads.getByRole('button', { name: 'Pause big.bin' }).click()
  await expect(app.uploads).toContainText('Paused')
  await app.uploads.getByRole('button', { name: 'Resume big.bin' }).click()
  await slowDown(session, 6_000_000, true)
  await expect(app.uploads).toContainText('No connection.')
  await page.clock.fastForward('05:00')
  await expect(app.uploads).toContainText('No connection.')
  await slowDown(session, -1)
  await expect(app.row('big.bin')).toBeVisible({ timeout: 20_000 })
  await app.uploadsEnd()
  expect(sha256(await readFile(join(corner.disk, 'big.bin')))).toBe(hash)
  await expect.poll(async () => (await stat(join(corner.disk, 'big.bin'))).mtime).toEqual(DATE)
  await expect.poll(() => readdir(corner.disk)).toEqual(['big.bin'])
  expect(pieces.every(({ checksum }) => checksum?.startsWith('sha256 '))).toBe(true)
  expect(pieces.filter(({ offset }) => offset === 0)).toHaveLength(1)
})

test('a reloaded page offers to resume, and only the missing bytes are sent', async ({ app, page, corner, local }) => {
  const hash = await makeFile(join(local, 'big.bin'), 30_000_000)
  await app.openFolder(corner.path)
  const session = await network(page)
  await slowDown(session, 8_000_000)
  await choose(app, 'Files', join(local, 'big.bin'))
  await expect.poll(() => sent(app)).toBeGreaterThan(12)
  page.once('dialog', dialog => void dialog.accept())
  await page.reload()
  await slowDown(session, -1)
  await expect(app.uploads).toContainText('Continue 1 upload')
  const offsets: number[] = []
  page.on('request', request => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  const again = app.uploads.getByRole('button', { name: 'Choose files' })
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), again.click()])
  await chooser.setFiles(join(local, 'big.bin'))
  await expect(app.row('big.bin')).toBeVisible({ timeout: 20_000 })
  expect(sha256(await readFile(join(corner.disk, 'big.bin')))).toBe(hash)
  expect(Math.min(...offsets)).toBeGreaterThanOrEqual(10_485_760)
})

test('an upload resumes after the server was killed and started again minutes later', async ({
  page,
  local,
  server,
}) => {
  const own = await startServer({ base: server.base })
  const hash = await makeFile(join(local, 'big.bin'), 40_000_000)
  const app = new App(page, own.url)
  await page.clock.install()
  await app.open('/login')
  await app.logIn(own.adminPassword)
  await app.settled()
  const session = await network(page)
  await slowDown(session, 8_000_000)
  await choose(app, 'Files', join(local, 'big.bin'))
  await expect.poll(() => sent(app)).toBeGreaterThan(12)
  await own.end('SIGKILL')
  await expect(app.uploads).toContainText('No connection.')
  await page.clock.fastForward('05:00')
  const args = ['--port', String(own.port)]
  const second = await startServer({ base: server.base, home: own.home, root: own.root, args })
  await slowDown(session, -1)
  // The page polls the server every 15 seconds by now.
  await page.clock.fastForward('00:15')
  await expect(app.row('big.bin')).toBeVisible({ timeout: 30_000 })
  expect(sha256(await readFile(join(own.root, 'big.bin')))).toBe(hash)
  await expect.poll(() => readdir(own.root)).toEqual(['big.bin'])
  await second.stop()
})

test('conflicts are resolved in the order of names before bytes are sent, also deep in folders', async ({
  app,
  page,
  corner,
  local,
}) => {
  for (const [folder, name, here, there] of [
    ['day', 'same.txt', 'as it is', 'as it is'],
    ['day', 'other.txt', 'one', 'two'],
    ['night', 'other.txt', 'three', 'four'],
  ] as const) {
    for (const top of [local, corner.disk]) await mkdir(join(top, 'trip', folder), { recursive: true })
    await writeFile(join(local, 'trip', folder, name), here)
    await writeFile(join(corner.disk, 'trip', folder, name), there)
  }
  await writeFile(join(local, 'trip/day/new.txt'), 'new')
  const posts: string[] = []
  page.on('request', request => {
    if (request.method() === 'POST') posts.push(new URL(request.url()).pathname.split('/').at(-1) ?? '')
  })
  await app.openFolder(corner.path)
  await choose(app, 'Folder', join(local, 'trip'))
  await expect(app.dialog).toContainText('3 files already exist')
  expect(posts).not.toContain('same.txt')
  const listed = app.dialog.getByRole('listitem')
  await expect(listed).toContainText(['day/other.txt', 'day/same.txt', 'night/other.txt'])
  await app.dialog.getByRole('combobox').first().selectOption('Skip if identical')
  await app.dialog.getByLabel('Action for night/other.txt').selectOption('Skip')
  await app.button('Continue').click()
  await expect(app.uploads).toContainText('2 files uploaded to')
  await expect(app.uploads).toContainText('2 skipped')
  expect(posts).not.toContain('same.txt')
  await expect.poll(() => readFile(join(corner.disk, 'trip/day/other.txt'), 'utf8')).toBe('one')
  expect(await readFile(join(corner.disk, 'trip/night/other.txt'), 'utf8')).toBe('four')
  await expect
    .poll(async () => (await readdir(join(corner.disk, 'trip/day'))).sort())
    .toEqual(['new.txt', 'other.txt', 'same.txt'])
})
