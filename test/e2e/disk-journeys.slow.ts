import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { call, json, signIn } from '../api/client.ts'
import { mayMount, mountBtrfs, mountImage, unmount } from '../api/disks.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { App } from './app.ts'
import { expectAccessible } from './axe.ts'
import { expect, logInOnce, test } from './fixtures.ts'

const MiB = 2 ** 20
const OLD = 1_600_000_000
const has = (program: string) => spawnSync(program, ['--version']).error === undefined

interface Own {
  app: App
  server: OwnServer
  token: string
  /** The mounted disk. */
  disk: string
}

interface Ground {
  /** Mounts the disk at a folder. */
  mount(folder: string, image: string): boolean
  /** Where the disk is in the served folder; nothing where it is served itself. */
  at?: string
  /** The folder of the disk that is served. */
  served?: string
  args?: string[]
  /** Before the server starts. */
  plant?(disk: string): Promise<void>
}

/** A journey on a server of its own, with a disk of its own. */
async function onDisk(browser: Browser, ground: Ground, act: (own: Own) => Promise<void>): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), 'journey-'))
  const disk = join(place, 'root', ground.at ?? '')
  try {
    expect(ground.mount(disk, join(place, 'image'))).toBe(true)
    await ground.plant?.(disk)
    const root = join(place, 'root', ground.served ?? '')
    const server = await startServer({ root, args: ground.args ?? [] })
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    try {
      const token = await signIn(server)
      await context.addInitScript(logInOnce, token)
      await act({ app: new App(await context.newPage(), server.url), server, token, disk })
    } finally {
      await context.close()
      await server.stop()
    }
  } finally {
    unmount(disk)
    await rm(place, { recursive: true, force: true })
  }
}

const ext4 = (folder: string, image: string) => mountImage(folder, image, 'ext4', 32 * MiB)

async function restoreFromTrash(app: App, name: string): Promise<void> {
  await app.row(name).click()
  await app.page.getByRole('button', { name: 'Restore', exact: true }).click()
}

test.beforeEach(() => test.setTimeout(300_000))

test('J1 what is deleted in the browser is named by trash-list, and back in the listing once trash-restore has run', async ({
  browser,
}) => {
  test.skip(!mayMount() || !has('trash-list'), 'only root may mount, and trash-cli is needed')
  const ground = { mount: ext4, at: 'nas', args: ['--trashPlace', 'desktop'] }
  await onDisk(browser, ground, async ({ app, disk }) => {
    await mkdir(join(disk, 'docs'))
    await writeFile(join(disk, 'docs/a b%.txt'), 'content')
    await app.openFolder('/nas/docs')
    await app.row('a b%.txt').click()
    await app.page.keyboard.press('Delete')
    await expect(app.row('a b%.txt')).toHaveCount(0)
    await expect.poll(() => readdir(join(disk, 'docs'))).toEqual([])
    expect(execFileSync('trash-list', { cwd: disk, encoding: 'utf8' })).toContain(` ${join(disk, 'docs/a b%.txt')}\n`)
    execFileSync('trash-restore', [], { cwd: join(disk, 'docs'), input: '0\n' })
    await expect(app.row('a b%.txt')).toBeVisible()
    expect(await readFile(join(disk, 'docs/a b%.txt'), 'utf8')).toBe('content')
    await app.open('/trash/')
    await expect(app.page.getByText('The trash is empty')).toBeVisible()
  })
})

test('J2 what `gio trash` deletes is in the trash page, and comes back from there with its bytes and time', async ({
  browser,
}) => {
  test.skip(!mayMount() || !has('gio'), 'only root may mount, and gio is needed')
  await onDisk(browser, { mount: ext4, at: 'nas' }, async ({ app, disk }) => {
    const file = join(disk, 'ä 100%.txt')
    await writeFile(file, 'content')
    await utimes(file, OLD, OLD)
    execFileSync('gio', ['trash', file], { cwd: disk, env: { ...process.env, HOME: join(disk, '..') } })
    expect(await readdir(disk)).not.toContain('ä 100%.txt')
    // A disk that is slow to list is shown with the next look.
    await expect(async () => {
      await app.open('/trash/')
      await expect(app.row('ä 100%.txt')).toContainText('Another program', { timeout: 5000 })
    }).toPass()
    await expectAccessible(app.page)
    await restoreFromTrash(app, 'ä 100%.txt')
    await expect(app.page.getByText('Restored “ä 100%.txt”')).toBeVisible()
    expect(await readFile(file, 'utf8')).toBe('content')
    expect((await stat(file)).mtimeMs).toBe(OLD * 1000)
  })
})

test('J3 what is moved out of the area by hand, as its README says, leaves the trash, and the history says that a program took it', async ({
  browser,
}) => {
  test.skip(!mayMount(), 'only root may mount')
  await onDisk(browser, { mount: ext4 }, async ({ app, disk }) => {
    await writeFile(join(disk, 'a.txt'), 'content')
    await app.openFolder('')
    await app.row('a.txt').click()
    await app.page.keyboard.press('Delete')
    await expect(app.page.getByText('Moved “a.txt” to the trash')).toBeVisible()
    const area = join(disk, (await readdir(disk)).find(name => name.startsWith('.filigree')) ?? '')
    expect(await readFile(join(area, 'README.txt'), 'utf8')).toContain('trash/files')
    const [kept = ''] = await readdir(join(area, 'trash/files'))
    execFileSync('mv', [join(area, 'trash/files', kept), join(disk, 'by hand.txt')])
    await expect(app.row('by hand.txt')).toBeVisible()
    await app.open('/trash/')
    await restoreFromTrash(app, 'a.txt')
    await expect(app.page.getByText('Not restored: 1 item')).toBeVisible()
    await app.open('/trash/')
    await expect(app.page.getByText('The trash is empty')).toBeVisible()
    await app.open('/history/')
    const line = app.page.getByRole('listitem').filter({ hasText: 'a.txt' }).first()
    await line.getByRole('button', { name: 'Moved “a.txt” to the trash', exact: true }).click()
    await expect(line).toContainText('Taken out by another program')
    await expectAccessible(app.page)
    expect(await readFile(join(disk, 'by hand.txt'), 'utf8')).toBe('content')
  })
})

test('J6 a snapshot of Btrfs is shown as it was, compared and restored from; rules hold in it, and no link leads out', async ({
  browser,
}) => {
  test.skip(!mayMount() || !has('btrfs'), 'only root may mount, and btrfs-progs is needed')
  const plant = async (disk: string) => {
    const docs = join(disk, 'docs')
    await mkdir(join(docs, 'private'))
    await writeFile(join(docs, 'report.txt'), 'one\ntwo\n')
    await writeFile(join(docs, 'gone.txt'), 'was here')
    await writeFile(join(docs, 'private/secret.txt'), 'secret')
    await symlink('/etc/passwd', join(docs, 'out'))
    // As snapper has them.
    const place = join(docs, '.snapshots/1')
    await mkdir(place, { recursive: true })
    await writeFile(join(place, 'info.xml'), '<snapshot><date>2026-11-23 09:30:00</date></snapshot>')
    const made = ['subvolume', 'snapshot', '-r', docs, join(place, 'snapshot')]
    execFileSync('btrfs', made, { stdio: 'ignore' })
    await rm(join(docs, 'gone.txt'))
    await writeFile(join(docs, 'report.txt'), 'one\nthree, and longer\n')
  }
  const ground = { mount: (folder: string) => mountBtrfs(folder, 'docs'), served: 'docs', plant }
  await onDisk(browser, ground, async ({ app, server, token, disk }) => {
    const { page } = app
    const rules = [{ regex: false, allow: false, path: '/private', regexp: { raw: '' } }]
    const settings = json(await call(server, '/api/settings', { token }))
    const body = JSON.stringify({ ...settings, rules })
    expect((await call(server, '/api/settings', { method: 'PUT', token, body })).status).toBe(200)
    await app.openFolder('')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('View earlier state…')
    await page.getByRole('option', { name: 'View earlier state…' }).click()
    await expect(page.getByText(/^As it was on Nov 23, 2026/)).toBeVisible()
    await expect(app.row('gone.txt')).toBeVisible()
    await expect(app.row('private')).toHaveCount(0)
    await expectAccessible(page)
    const [{ id }] = json(await call(server, '/api/snapshots/report.txt', { token })).items
    for (const path of ['/private/secret.txt', '/out'])
      expect((await call(server, `/api/raw${path}?at=${id}`, { token })).status).toBe(403)
    await app.row('gone.txt').click()
    await app.button('Restore here…').click()
    await app.dialog.getByRole('button', { name: 'Restore' }).click()
    await expect(page.getByText('Restored “gone.txt”')).toBeVisible()
    expect(await readFile(join(disk, 'docs/gone.txt'), 'utf8')).toBe('was here')

    await app.openFolder('')
    await app.row('report.txt').click()
    await page.keyboard.press('Alt+v')
    const found = app.dialog.getByRole('region', { name: 'Snapshots of the file system' })
    await expect(found.getByRole('listitem')).toHaveCount(1)
    await found.getByRole('button', { name: /^Actions for the version of/ }).click()
    await page.getByRole('menuitem', { name: 'Compare with the current content' }).click()
    await expect(app.dialog.getByText('three, and longer').first()).toBeVisible()
    await expect(app.dialog.getByText('two', { exact: true }).first()).toBeVisible()
    await app.dialog.getByRole('button', { name: 'All versions' }).click()
    await found.getByRole('button', { name: /^Restore the version of/ }).click()
    await expect(page.getByText(/^Restored the version of/)).toBeVisible()
    expect(await readFile(join(disk, 'docs/report.txt'), 'utf8')).toBe('one\ntwo\n')
  })
})

/** Whether a file shares all of its blocks with others. */
function isShared(path: string): boolean {
  execFileSync('sync', ['-f', path])
  const [, line = ''] = execFileSync('btrfs', ['filesystem', 'du', '--raw', path], { encoding: 'utf8' }).split('\n')
  const [total, exclusive] = line.trim().split(/\s+/).map(Number)
  return total !== undefined && total > 0 && exclusive === 0
}

test('J12 the page of duplicates has those of jdupes, and lets them share their disk space on Btrfs', async ({
  browser,
}) => {
  test.skip(!mayMount() || !has('jdupes') || !has('btrfs'), 'only root may mount, jdupes and btrfs-progs are needed')
  await onDisk(browser, { mount: folder => mountBtrfs(folder, 'sub') }, async ({ app, disk }) => {
    const { page } = app
    const content = Buffer.alloc(2 * MiB, 'bytes of a video ')
    await mkdir(join(disk, 'deep'))
    for (const name of ['first.bin', 'deep/second.bin']) await writeFile(join(disk, name), content)
    await writeFile(join(disk, 'other.bin'), Buffer.alloc(2 * MiB, 'other bytes '))
    const theirs = execFileSync('jdupes', ['-r', '-q', '-X', 'nostr:.filigree', disk], { encoding: 'utf8' })
    expect(theirs.trim().split('\n').sort()).toEqual([join(disk, 'deep/second.bin'), join(disk, 'first.bin')])

    await app.open('/settings/integrity')
    await page.getByRole('button', { name: 'Find duplicates' }).click()
    const group = page.getByRole('listitem').filter({ hasText: 'second.bin' }).first()
    await expect(group).toContainText('first.bin')
    await expect(page.getByText('other.bin')).toHaveCount(0)
    await page.getByLabel('The others').selectOption({ label: 'Share their disk space' })
    await expectAccessible(page)
    expect(isShared(join(disk, 'first.bin'))).toBe(false)
    await page.getByRole('button', { name: 'Apply to the others (1)' }).click()
    await expect(page.getByText('Done: 1')).toBeVisible()
    for (const name of ['first.bin', 'deep/second.bin']) {
      expect(isShared(join(disk, name))).toBe(true)
      expect((await readFile(join(disk, name))).equals(content)).toBe(true)
    }
  })
})

test('J14 a tag that is set in the browser is read by getfattr, and one of setfattr is in the listing', async ({
  browser,
}) => {
  test.skip(!mayMount() || !has('getfattr'), 'only root may mount, and attr is needed')
  await onDisk(browser, { mount: ext4 }, async ({ app, server, disk }) => {
    const { page } = app
    for (const name of ['a.txt', 'b.txt']) await writeFile(join(disk, name), name)
    const exchange = (way: string) =>
      execFileSync('bin/filigree', ['tags', way, '-d', server.database], { stdio: 'ignore' })
    await app.openFolder('')
    await app.row('a.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Tags…', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Tags' })
    await dialog.getByRole('textbox', { name: 'Find or create a tag' }).fill('Invoices')
    await dialog.getByRole('checkbox', { name: 'For all users' }).check()
    await dialog.getByRole('button', { name: 'Create “Invoices”' }).click()
    await expect(dialog.getByRole('checkbox', { name: 'Invoices' })).toBeChecked()
    await page.keyboard.press('Escape')
    await expect(app.row('a.txt').getByRole('img', { name: 'Invoices' })).toBeVisible()
    exchange('to-attributes')
    const read = ['--only-values', '-n', 'user.xdg.tags', join(disk, 'a.txt')]
    expect(execFileSync('getfattr', read, { encoding: 'utf8' })).toBe('Invoices')

    execFileSync('setfattr', ['-n', 'user.xdg.tags', '-v', 'Invoices', join(disk, 'b.txt')])
    exchange('from-attributes')
    await app.openFolder('')
    await expect(app.row('b.txt').getByRole('img', { name: 'Invoices' })).toBeVisible()
    await expectAccessible(page)
  })
})
