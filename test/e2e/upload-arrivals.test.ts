import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Route } from '@playwright/test'
import { expect } from './fixtures.ts'
import { choose, test } from './sending.ts'

/** Keeps the uploads of files with a name prefix from reaching the server. @returns releases them */
async function holdUploads(page: Page, prefix: string): Promise<() => Promise<void>> {
  const held: Route[] = []
  let open = false
  await page.route(
    url => url.pathname.split('/').at(-1)?.startsWith(prefix) ?? false,
    route => {
      if (open || route.request().method() !== 'POST') return route.continue()
      held.push(route)
    },
  )
  return async () => {
    open = true
    await Promise.all(held.map(route => route.continue()))
  }
}

/** Counts from now on how often the folder shows that it is empty. */
async function countEmptiness(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const seen = { times: 0 }
    Object.assign(globalThis, { seen })
    const sample = () => {
      if (document.body.textContent?.includes('It feels lonely here')) seen.times += 1
    }
    new MutationObserver(sample).observe(document.body, { childList: true, subtree: true, characterData: true })
    sample()
  })
  return () => page.evaluate(() => (globalThis as unknown as { seen: { times: number } }).seen.times)
}

test('uploaded files are listed while uploads use every connection', async ({ app, page, corner, local }) => {
  const names = ['first.txt', ...[1, 2, 3, 4, 5].map(number => `held-${number}.txt`)]
  for (const name of names) await writeFile(join(local, name), name)
  await app.openFolder(corner.path)
  const release = await holdUploads(page, 'held-')
  await choose(
    app,
    'Files',
    names.map(name => join(local, name)),
  )
  await expect(app.row('first.txt')).toBeVisible()
  await expect(app.uploads).toContainText('1 of 6')
  await release()
  await expect(app.row('held-5.txt')).toBeVisible()
  await app.uploadsEnd()
})

test('an empty folder is not shown as empty once an upload into it starts', async ({ app, page, corner, local }) => {
  await writeFile(join(local, 'held.txt'), 'held')
  await app.openFolder(corner.path)
  const release = await holdUploads(page, 'held')
  await choose(app, 'Files', join(local, 'held.txt'))
  await expect(app.uploads).toContainText('0 of 1')
  await expect(app.grid.getByRole('img', { name: 'Uploading' })).toBeVisible()
  const emptiness = await countEmptiness(page)
  await release()
  await expect(app.row('held.txt')).toBeVisible()
  expect(await emptiness()).toBe(0)
})

test('a folder of which every file is skipped counts nothing as uploaded', async ({ app, page, corner, local }) => {
  for (const top of [local, corner.disk]) {
    await mkdir(join(top, 'trip/day'), { recursive: true })
    for (const name of ['trip/a.txt', 'trip/day/b.txt']) await writeFile(join(top, name), 'same')
  }
  await app.openFolder(corner.path)
  await choose(app, 'Folder', join(local, 'trip'))
  await expect(app.dialog).toContainText('2 files already exist')
  await app.dialog.getByLabel('Apply to all 2 items').selectOption('Skip')
  await app.button('Continue').click()
  await expect(page.getByText('2 skipped', { exact: true })).toBeVisible()
})
