import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { App } from './app.ts'
import { carry } from './carry.ts'
import { type Corner, expect, test } from './fixtures.ts'
import { localFolder } from './trees.ts'

test.beforeEach(async ({ app, corner, page }) => {
  await mkdir(join(corner.disk, 'inner/innermost'), { recursive: true })
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(join(corner.disk, name), name)
  // The chunk for dragging is loaded when the page is idle.
  const loaded = page.waitForResponse(response => /\/folder-idle-[^/]*\.js/.test(response.url()))
  await app.openFolder(corner.path)
  // It has arrived; imported once more, it has also run.
  await page.evaluate(url => import(url), (await loaded).url())
})

const nameIn = (row: Locator) => row.getByRole('link')

test('the selection is moved into the folder it is dropped on, and moved back by Undo', async ({
  app,
  page,
  corner,
}) => {
  await app.row('a.txt').click()
  await app.row('c.txt').click({ modifiers: ['Control'] })
  await carry(page, nameIn(app.row('a.txt')), app.row('inner'))
  await expect.poll(() => existsSync(join(corner.disk, 'inner/a.txt'))).toBe(true)
  await expect(app.row('a.txt')).toHaveCount(0)
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['b.txt', 'inner'])
  await expect
    .poll(async () => (await readdir(join(corner.disk, 'inner'))).sort())
    .toEqual(['a.txt', 'c.txt', 'innermost'])
  await app.button('Undo').click()
  await expect.poll(() => existsSync(join(corner.disk, 'a.txt'))).toBe(true)
})

test('with Ctrl it is copied; an item outside the selection is dragged alone', async ({ app, page, corner }) => {
  await app.row('a.txt').click()
  await page.keyboard.down('Control')
  await carry(page, nameIn(app.row('b.txt')), app.row('inner'))
  await page.keyboard.up('Control')
  await expect.poll(() => readdir(join(corner.disk, 'inner'))).toEqual(['b.txt', 'innermost'])
  await expect.poll(() => existsSync(join(corner.disk, 'b.txt'))).toBe(true)
})

test('it can be dropped on the breadcrumb and on the sidebar', async ({ app, page, corner }) => {
  await app.row('inner').dblclick()
  await app.isAt(`/files${corner.path}/inner/`)
  await carry(page, nameIn(app.row('innermost')), app.breadcrumb.getByRole('link', { name: corner.name }))
  await expect.poll(() => existsSync(join(corner.disk, 'innermost'))).toBe(true)
  await app.breadcrumb.getByRole('link', { name: corner.name }).click()
  await expect(app.row('innermost')).toBeVisible()
  const name = `${corner.name}.txt`
  await writeFile(join(corner.disk, name), '')
  await page.reload()
  await expect(app.row(name)).toBeVisible()
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/folder-idle-[^/]*\.js/.test(name)),
  )
  await carry(
    page,
    nameIn(app.row(name)),
    page.getByRole('navigation', { name: 'Main navigation' }).getByText('My files'),
  )
  await expect.poll(() => existsSync(join(corner.disk, '..', name))).toBe(true)
})

test('a folder cannot be dropped into itself', async ({ app, page, corner }) => {
  await carry(page, nameIn(app.row('inner')), app.row('inner'))
  await expect(app.row('inner')).toBeVisible()
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['a.txt', 'b.txt', 'c.txt', 'inner'])
})

test('files from the desktop are uploaded into the folder they are dropped on', async ({ app, page, corner }) => {
  const local = await localFolder(corner.name)
  await writeFile(join(local.path, 'from desk.txt'), 'desk')
  const box = (await app.row('inner').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [join(local.path, 'from desk.txt')], dragOperationsMask: 1 }
  const at = { x: box.x + 200, y: box.y + box.height / 2 }
  for (const type of ['dragEnter', 'dragOver'] as const)
    await session.send('Input.dispatchDragEvent', { type, ...at, data })
  await expect(page.getByText('Drop to upload to “inner”')).toBeVisible()
  await session.send('Input.dispatchDragEvent', { type: 'drop', ...at, data })
  await expect.poll(() => existsSync(join(corner.disk, 'inner/from desk.txt'))).toBe(true)
  await expect.poll(() => existsSync(join(corner.disk, 'from desk.txt'))).toBe(false)
  await local.remove()
})

/** Drags something onto a folder and holds it there until the folder opens. */
async function carryInto(app: App, page: Page, corner: Corner, name: string): Promise<void> {
  const { x = 0, y = 0, height = 0 } = (await app.row('inner').boundingBox()) ?? {}
  await nameIn(app.row(name)).hover()
  await page.mouse.down()
  let moves = 0
  // A hand is never quite still; on a busy machine the drag may begin only with a later move.
  const held = async () => {
    moves += 1
    await page.mouse.move(x + 200 + (moves % 2), y + height / 2)
    return app.address()
  }
  await expect.poll(held).toBe(`/files${corner.path}/inner/`)
  await expect(app.row('innermost')).toBeVisible()
}

test('a folder that opens during a drag accepts the drop anywhere in its listing', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'inner/d.txt'), 'd')
  await carryInto(app, page, corner, 'a.txt')
  await app.row('d.txt').hover()
  await app.row('d.txt').hover()
  await expect(page.locator('[data-listing][data-drop-over]')).toBeVisible()
  await page.mouse.up()
  await expect(app.row('a.txt')).toBeVisible()
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['b.txt', 'c.txt', 'inner'])
  await app.button('Undo').click()
  await expect.poll(() => existsSync(join(corner.disk, 'a.txt'))).toBe(true)
})

test('with Ctrl the folder that opened receives a copy, also below its rows', async ({ app, page, corner }) => {
  await carryInto(app, page, corner, 'b.txt')
  const box = await app.grid.boundingBox()
  if (!box) throw new Error('the listing has no box')
  await page.keyboard.down('Control')
  for (const x of [box.x + 300, box.x + 301]) await page.mouse.move(x, box.y + box.height - 20)
  await page.mouse.up()
  await page.keyboard.up('Control')
  await expect(app.row('b.txt')).toBeVisible()
  await expect.poll(() => existsSync(join(corner.disk, 'b.txt'))).toBe(true)
})

test('a drop onto the source listing does nothing, also with Ctrl', async ({ app, page, corner }) => {
  await carry(page, nameIn(app.row('a.txt')), app.row('c.txt'))
  await page.keyboard.down('Control')
  await carry(page, nameIn(app.row('a.txt')), app.row('c.txt'))
  await page.keyboard.up('Control')
  await expect(page.getByRole('region', { name: 'Notifications' })).toHaveText('')
  expect((await readdir(corner.disk)).sort()).toEqual(['a.txt', 'b.txt', 'c.txt', 'inner'])
})

test('a file that is dragged alone is offered to the desktop as a download', async ({ app, page }) => {
  await page.evaluate(() =>
    addEventListener('dragstart', ({ dataTransfer }) => {
      document.body.dataset.offered = dataTransfer?.getData('DownloadURL') ?? ''
    }),
  )
  await carry(page, nameIn(app.row('b.txt')), app.row('c.txt'))
  const offered = (await page.locator('body').getAttribute('data-offered')) ?? ''
  expect(offered).toMatch(/^application\/octet-stream:b\.txt:http/)
  const address = offered.slice('application/octet-stream:b.txt:'.length)
  expect(await page.evaluate(async url => (await fetch(url)).text(), address)).toBe('b.txt')
  await app.row('a.txt').click({ modifiers: ['Control'] })
  await carry(page, nameIn(app.row('a.txt')), app.row('c.txt'))
  await expect(page.locator('body')).toHaveAttribute('data-offered', '')
})
