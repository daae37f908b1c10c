import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { call, signIn } from '../api/client.ts'
import { mayMount, mountSmallDisk, unmount } from '../api/disks.ts'
import { makeHome, type OwnServer, startServer } from '../api/harness.ts'
import { App } from './app.ts'
import { expectAccessible } from './axe.ts'
import { expect, logInOnce, test } from './fixtures.ts'
import { choose, makeFile, sha256 } from './sending.ts'
import { localFolder } from './trees.ts'

const MiB = 2 ** 20

/** The files of the tree that a kill meets; a million take a minute to make. */
const FILES = Number(process.env.FILIGREE_JOURNEY_FILES ?? 20_000)

/** A page of a visitor who is signed in to a server of the test's own. */
async function visit(browser: Browser, server: OwnServer, token?: string): Promise<App> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  await context.addInitScript(logInOnce, token ?? (await signIn(server)))
  return new App(await context.newPage(), server.url)
}

/** Makes folders of a hundred files each. */
async function plantTree(folder: string, files: number): Promise<void> {
  for (let made = 0; made < files; made += 100) {
    const part = join(folder, `part ${made / 100}`)
    await mkdir(part, { recursive: true })
    await Promise.all(
      Array.from({ length: 100 }, (_, index) => writeFile(join(part, `${index}.txt`), `${made + index}`)),
    )
  }
}

/** The names and checksums of everything below a folder, as one checksum. */
const sumOf = (folder: string): string =>
  execFileSync('sh', ['-c', 'find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum'], {
    cwd: folder,
    encoding: 'utf8',
  })

test('J4 a large tree is deleted at once, and comes back whole from the trash after the server was killed', async ({
  browser,
}) => {
  test.setTimeout(900_000)
  const home = await makeHome()
  const first = await startServer({ home })
  await plantTree(join(first.root, 'archive'), FILES)
  const before = sumOf(join(first.root, 'archive'))
  const app = await visit(browser, first)
  await app.openFolder('')
  await app.row('archive').click()
  await app.page.keyboard.press('Delete')
  await expect(app.page.getByText('Moved “archive” to the trash')).toBeVisible()
  await first.end('SIGKILL')
  expect(await readdir(first.root).then(names => names.filter(name => !name.startsWith('.')))).toEqual([])
  await app.page.context().close()

  const second = await startServer({ home, database: first.database, root: first.root })
  try {
    const again = await visit(browser, second)
    await again.open('/trash/')
    await again.row('archive').click()
    await again.page.getByRole('button', { name: 'Restore', exact: true }).click()
    await expect(again.page.getByText('Restored “archive”')).toBeVisible()
    expect(sumOf(join(second.root, 'archive'))).toBe(before)
    await again.page.context().close()
  } finally {
    await second.stop()
    await first.stop()
  }
})

/** What a server and its children have handed to the disk so far. */
async function writtenBy(pid: number): Promise<number> {
  return Number(/^write_bytes: (\d+)/m.exec(await readFile(`/proc/${pid}/io`, 'utf8'))?.[1])
}

/** Bytes that a folder takes on its disk, each content once. */
const usedBy = (folder: string): number =>
  Number(execFileSync('du', ['-s', '-B1', folder], { encoding: 'utf8' }).split('\t')[0])

test('J7 what another program deletes or overwrites in place is not kept, and the pages say so', async ({
  app,
  page,
  corner,
  token,
}) => {
  for (const name of ['deleted.txt', 'written.txt']) await writeFile(join(corner.disk, name), 'first')
  const query = { method: 'POST', token, body: 'second' }
  for (const name of ['deleted.txt', 'written.txt']) {
    const answer = await call(app, `/api/resources${corner.path}/${name}?override=true`, query)
    expect(answer.status).toBe(200)
  }
  // As a file server for SMB does: a delete for good, and writes into the file that is there.
  await rm(join(corner.disk, 'deleted.txt'))
  await writeFile(join(corner.disk, 'written.txt'), 'by another program', { flag: 'r+' })
  await app.openFolder(corner.path)
  await app.row('written.txt').click()
  await page.keyboard.press('Alt+v')
  await expect(app.dialog).toContainText('Another program has changed this file. What it replaced was not kept.')
  await expect(app.dialog.getByRole('listitem')).toHaveCount(1)
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.getByRole('button', { name: `In “${corner.name}”` }).click()
  await expect(app.row('deleted.txt')).toHaveCount(0)
  await expect(page.getByText('What other programs delete permanently is not kept here.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'History' }).click()
  await expect(page.getByText('What other programs on the server change is not recorded.')).toBeVisible()
  await expectAccessible(page)
})

test('J5 a file that five uploads replace costs its contents and nothing more, and the third comes back', async ({
  browser,
}) => {
  const server = await startServer()
  const local = await localFolder('replaced')
  const size = 24 * MiB
  const hashes: string[] = []
  try {
    const app = await visit(browser, server)
    await app.openFolder('')
    await app.atRest()
    const before = await writtenBy(server.pid)
    for (let count = 0; count < 6; count += 1) {
      const hash = await makeFile(join(local.path, 'film.bin'), size)
      await utimes(join(local.path, 'film.bin'), 1e9 + count, 1e9 + count)
      hashes.push(hash)
      await choose(app, 'Files', join(local.path, 'film.bin'))
      if (count > 0) {
        await app.dialog.getByRole('combobox').first().selectOption('Replace')
        await app.button('Continue').click()
      }
      await expect
        .poll(async () => sha256(await readFile(join(server.root, 'film.bin')).catch(() => Buffer.of())))
        .toBe(hash)
      await app.uploadsEnd()
    }
    const written = (await writtenBy(server.pid)) - before
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThan(6 * size + 8 * MiB)
    expect(usedBy(server.root)).toBeLessThan(6 * size + 2 * MiB)
    expect(usedBy(server.root)).toBeGreaterThan(6 * size - MiB)

    await app.row('film.bin').click()
    await app.page.keyboard.press('Alt+v')
    await expect(app.dialog.getByRole('listitem')).toHaveCount(5)
    // The newest first: the third upload is the third of five former contents.
    await app.dialog
      .getByRole('listitem')
      .nth(2)
      .getByRole('button', { name: /^Restore the version of/ })
      .click()
    await expect(app.page.getByText(/^Restored the version of/)).toBeVisible()
    expect(sha256(await readFile(join(server.root, 'film.bin')))).toBe(hashes[2])
    await app.page.context().close()
  } finally {
    await local.remove()
    await server.stop()
  }
})

test('J13 an upload to a disk that the trash has filled goes through, and the log names what went for it', async ({
  browser,
}) => {
  test.skip(!mayMount(), 'only root may mount')
  const place = await mkdtemp(join(tmpdir(), 'filled-'))
  const root = join(place, 'root')
  mountSmallDisk(root, 64 * MiB)
  const server = await startServer({ root, args: ['--keepLeast', '1s', '--spareSpace', '0', '--trashShare', '100'] })
  const local = await localFolder('filled')
  try {
    const token = await signIn(server)
    for (const name of ['oldest.bin', 'middle.bin', 'newest.bin']) {
      await writeFile(join(root, name), Buffer.alloc(20 * MiB, name))
      expect((await call(server, `/api/resources/${name}`, { method: 'DELETE', token })).status).toBe(204)
      await new Promise(done => setTimeout(done, 20))
    }
    await writeFile(join(root, 'present.bin'), Buffer.alloc(3 * MiB, 'p'))
    const hash = await makeFile(join(local.path, 'photo.bin'), 16 * MiB)

    const app = await visit(browser, server)
    await app.openFolder('')
    await choose(app, 'Files', join(local.path, 'photo.bin'))
    await expect(app.row('photo.bin')).toBeVisible()
    await app.uploadsEnd()
    expect(sha256(await readFile(join(root, 'photo.bin')))).toBe(hash)
    await app.open('/trash/')
    await expect.poll(() => app.names()).toEqual(['newest.bin', 'middle.bin'])
    await app.open('/settings/audit')
    await expect(app.page.getByRole('listitem').filter({ hasText: 'xpired' }).first()).toBeVisible()
    await app.page.context().close()
  } finally {
    await local.remove()
    await server.stop()
    unmount(root)
    await rm(place, { recursive: true, force: true })
  }
})
