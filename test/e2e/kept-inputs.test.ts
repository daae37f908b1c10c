import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { call, encode } from '../api/client.ts'
import type { App } from './app.ts'
import { expectAccessible } from './axe.ts'
import { longPress } from './finger.ts'
import { type Corner, expect, test } from './fixtures.ts'

/** A file with one version, and another one. */
async function plant(app: App, token: string, { disk, path }: Corner): Promise<void> {
  await writeFile(join(disk, 'a.txt'), 'one\ntwo\n')
  await writeFile(join(disk, 'b.txt'), 'b')
  const address = `/api/resources${encode(`${path}/a.txt`)}?override=true`
  expect((await call(app, address, { method: 'POST', token, body: 'one\nthree\n' })).status).toBe(200)
}

const namesIn = async ({ disk }: Corner) => (await readdir(disk)).sort()
const versionOf = ({ dialog }: App, what: string) =>
  dialog.getByRole('button', { name: new RegExp(`^${what} the version`) })

/** Moves the focus to an element with one key. */
async function moveTo(page: Page, target: Locator, key: string): Promise<void> {
  await expect(target).toBeVisible()
  const isThere = () => target.evaluate(element => element === document.activeElement)
  for (let presses = 0; presses < 80 && !(await isThere()); presses += 1) await page.keyboard.press(key)
  await expect(target).toBeFocused()
}

test('J15 by the keyboard alone a file is deleted and restored from the trash, and a version compared and restored', async ({
  app,
  page,
  corner,
  token,
}) => {
  const { keyboard } = page
  await plant(app, token, corner)
  await app.openFolder(corner.path)
  await moveTo(page, app.row('b.txt'), 'ArrowDown')
  await keyboard.press('Delete')
  await expect.poll(() => namesIn(corner)).toEqual(['a.txt'])
  await moveTo(page, page.getByRole('link', { name: 'Trash' }), 'Tab')
  await keyboard.press('Enter')
  await moveTo(page, page.getByRole('button', { name: `In “${corner.name}”` }), 'Tab')
  await keyboard.press('Enter')
  await expect.poll(() => app.names()).toEqual(['b.txt'])
  await moveTo(page, app.row('b.txt'), 'Tab')
  await keyboard.press('Control+a')
  await keyboard.press('Control+Enter')
  await expect.poll(() => namesIn(corner)).toEqual(['a.txt', 'b.txt'])

  await app.openFolder(corner.path)
  for (const key of ['ArrowDown', 'ArrowUp', 'Alt+v']) await keyboard.press(key)
  await moveTo(page, versionOf(app, 'Actions for'), 'Tab')
  await keyboard.press('Enter')
  await moveTo(page, page.getByRole('menuitem', { name: 'Compare with the current content' }), 'ArrowDown')
  await keyboard.press('Enter')
  await expect(app.dialog.getByText('three').first()).toBeVisible()
  await expect(app.dialog.getByText('two').first()).toBeVisible()
  await moveTo(page, app.dialog.getByRole('button', { name: 'All versions' }), 'Tab')
  await keyboard.press('Enter')
  await moveTo(page, versionOf(app, 'Restore'), 'Tab')
  await keyboard.press('Enter')
  await expect.poll(() => readFile(join(corner.disk, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('J15 by touch alone a deletion is undone, a file restored from the trash, and a version compared and restored', async ({
    app,
    page,
    corner,
    token,
  }) => {
    await plant(app, token, corner)
    const remove = async () => {
      await longPress(app.row('b.txt'))
      const bar = page.getByRole('toolbar', { name: 'Actions' })
      await bar.getByRole('button', { name: /^Delete(?! perm)/ }).tap()
      await expect.poll(() => namesIn(corner)).toEqual(['a.txt'])
    }
    await app.openFolder(corner.path)
    await remove()
    await app.button('Undo').tap()
    await expect.poll(() => namesIn(corner)).toEqual(['a.txt', 'b.txt'])
    await expect(app.row('b.txt')).toBeVisible()
    await app.openFolder(corner.path)
    await remove()
    await app.button('Sidebar').tap()
    await page.getByRole('link', { name: 'Trash' }).tap()
    await page.getByRole('button', { name: `In “${corner.name}”` }).tap()
    await expect(app.row('b.txt')).toHaveCount(1)
    await longPress(app.row('b.txt'))
    await page.getByRole('toolbar', { name: 'Actions' }).getByRole('button', { name: 'Restore' }).tap()
    await expect.poll(() => namesIn(corner)).toEqual(['a.txt', 'b.txt'])

    await app.openFolder(corner.path)
    await app.row('a.txt').getByRole('button', { name: 'Actions for a.txt' }).tap()
    await page.getByRole('menuitem', { name: /^Versions/ }).tap()
    await versionOf(app, 'Actions for').tap()
    await page.getByRole('menuitem', { name: 'Compare with the current content' }).tap()
    await expect(app.dialog.getByText('three').first()).toBeVisible()
    await expectAccessible(page)
    await app.dialog.getByRole('button', { name: 'All versions' }).tap()
    await versionOf(app, 'Restore').tap()
    await expect.poll(() => readFile(join(corner.disk, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
  })
})
