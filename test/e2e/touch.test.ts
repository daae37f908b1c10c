import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

test.beforeEach(async ({ app, corner }) => {
  await mkdir(join(corner.disk, 'folder'))
  for (const name of ['a.bin', 'b.bin', 'c.bin', 'd.bin']) await writeFile(join(corner.disk, name), Buffer.from([0]))
  await app.openFolder(corner.path)
})

type Point = { x: number; y: number }

/** A touch that goes down, moves over some points and is released. */
async function finger(page: Page, down: Point, rest: number, ...moves: Point[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Point[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  await send('touchStart', [down])
  await new Promise(resolve => setTimeout(resolve, rest))
  for (const point of moves) await send('touchMove', [point])
  await send('touchEnd', [])
}

test('a tap opens, a long press selects and then taps add; the bars show the selection and its actions', async ({
  app,
  page,
  corner,
}) => {
  const middle = async (name: string) => {
    const box = (await app.row(name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  }
  await finger(page, await middle('b.bin'), 700)
  await expect.poll(() => app.selected()).toEqual(['b.bin'])
  await app.row('c.bin').tap()
  await expect.poll(() => app.selected()).toEqual(['b.bin', 'c.bin'])
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await expect(bar).toContainText('2 selected')
  const reach = page.getByRole('toolbar', { name: 'Actions' })
  await reach.getByRole('button', { name: 'More' }).tap()
  await expect(page.getByRole('menuitem', { name: 'Cut' })).toBeVisible()
  await page.keyboard.press('Escape')
  await reach.getByRole('button', { name: /^Delete(?! perm)/ }).tap()
  await app.confirmWithoutTrash()
  await expect(app.row('b.bin')).toHaveCount(0)
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['a.bin', 'd.bin', 'folder'])
  await app.row('folder').tap()
  await app.isAt(`/files${corner.path}/folder/`)
})

test('a finger dragged over the check boxes selects all of them', async ({ app, page }) => {
  const box = async (name: string) => {
    const at = (await app.row(name).getByRole('checkbox').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    return { x: at.x + at.width / 2, y: at.y + at.height / 2 }
  }
  await finger(page, await box('a.bin'), 0, await box('b.bin'), await box('c.bin'))
  await expect.poll(() => app.selected()).toEqual(['a.bin', 'b.bin', 'c.bin'])
})

test('Back clears the selection, and only then leaves the folder', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'folder', 'inside.bin'), Buffer.from([0]))
  await app.row('folder').tap()
  await app.row('inside.bin').getByRole('checkbox').tap()
  await expect.poll(() => app.selected()).toEqual(['inside.bin'])
  await page.goBack()
  await expect.poll(() => app.selected()).toEqual([])
  await app.isAt(`/files${corner.path}/folder/`)
  await page.goBack()
  await app.isAt(`/files${corner.path}/`)
})

test('the button of a row opens a sheet at the bottom, the round one creates items', async ({ app, page }) => {
  await app.row('a.bin').getByRole('button', { name: 'Actions for a.bin' }).tap()
  const menu = page.getByRole('menu', { name: 'a.bin' })
  await expect(menu).toBeVisible()
  await expect.poll(async () => (await menu.boundingBox())?.width).toBe(390)
  const bottom = async () => {
    const box = await menu.boundingBox()
    return Math.round((box?.y ?? 0) + (box?.height ?? 0))
  }
  await expect.poll(bottom).toBe(844)
  await page.keyboard.press('Escape')
  await app.button('Clear selection').tap()
  await app.button('New').tap()
  await page.getByRole('menuitem', { name: 'New folder' }).tap()
  await expect(app.dialog.getByLabel('Folder name')).toBeVisible()
})
