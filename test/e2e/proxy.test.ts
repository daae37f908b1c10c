import { createHash, randomBytes } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasNginx, startNginx } from '../faults/nginx.ts'
import { App } from './app.ts'
import { test as base, expect } from './fixtures.ts'
import { localFolder } from './trees.ts'

const test = base.extend<{ local: string }>({
  local: async ({ corner }, use) => {
    const folder = await localFolder(corner.name)
    await use(folder.path)
    await folder.remove()
  },
})

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function makeFile(path: string, size: number): Promise<string> {
  const bytes = randomBytes(size)
  await writeFile(path, bytes)
  return sha256(bytes)
}

test('behind a real proxy that takes 1 MB and waits for five seconds large files arrive, and folders stay live', async ({
  page,
  corner,
  local,
  server,
}) => {
  test.skip(!hasNginx, 'There is no nginx here.')
  const proxy = await startNginx([server.url])
  const refused: string[] = []
  page.on('response', response => {
    if (response.status() === 413) refused.push(response.url())
  })
  const names = ['a.bin', 'b.bin']
  const hashes = await Promise.all(names.map((name, index) => makeFile(join(local, name), (3 + index * 9) * 1_000_000)))
  const app = new App(page, `${proxy.url}${server.base}`)
  await app.openFolder(corner.path)
  await page.keyboard.press('Alt+u')
  const files = app.dialog.getByRole('button', { name: /^Files/ })
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), files.click()])
  await chooser.setFiles(names.map(name => join(local, name)))
  await expect(app.row('b.bin')).toBeVisible({ timeout: 60_000 })
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(names)
  const arrived = await Promise.all(names.map(name => readFile(join(corner.disk, name))))
  expect(arrived.map(sha256)).toEqual(hashes)
  // Each file may have to find out the proxy's body limit, but only once.
  expect(refused.length).toBeLessThan(12)
  await writeFile(join(corner.disk, 'by-hand.txt'), 'x')
  await expect(app.row('by-hand.txt')).toBeVisible({ timeout: 5000 })
  await proxy.stop()
})
