import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'

test.beforeEach(async ({ app, corner }) => {
  await mkdir(join(corner.disk, 'folder'))
  for (const name of ['a.bin', 'b.bin', 'c.bin']) await writeFile(join(corner.disk, name), Buffer.from([0]))
  await app.openFolder(corner.path)
})

test('the menu of empty space sorts and selects, also with the keyboard alone', async ({ app, page }) => {
  const last = (await app.row('c.bin').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  await page.mouse.click(last.x + 200, last.y + last.height + 60, { button: 'right' })
  const item = (name: string) => page.getByRole('menuitem', { name })
  await expect(item('New folder')).toBeVisible()
  await expect(item('Upload').first()).toBeVisible()
  await item('Sort').click()
  await expect(app.choice('Name, A to Z')).toHaveAttribute('aria-checked', 'true')
  await app.choice('Name, Z to A').click()
  await expect.poll(() => app.names()).toEqual(['folder', 'c.bin', 'b.bin', 'a.bin'])
  await page.mouse.click(last.x + 200, last.y + last.height + 60, { button: 'right' })
  await item('Sort').focus()
  await page.keyboard.press('ArrowRight')
  await expect(app.choice('Name, A to Z')).toBeVisible()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await expect.poll(() => app.names()).toEqual(['folder', 'a.bin', 'b.bin', 'c.bin'])
})

test('folders of the sidebar and of the path have the menu of their rows, also with the keyboard alone', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'folder/inner'))
  await app.openFolder(`${corner.path}/folder`)
  const menu = page.getByRole('menu', { name: 'folder', exact: true })
  const node = page.getByRole('treeitem', { name: 'folder', exact: true })
  await node.click({ button: 'right' })
  await expect(menu).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(node).toBeFocused()

  const crumb = app.breadcrumb.getByRole('link', { name: 'folder', exact: true })
  await crumb.focus()
  await page.keyboard.press('Shift+F10')
  await expectAccessibleInBoth(page)
  await menu.getByRole('menuitem', { name: /^Star\b/ }).click()
  const starred = page.getByRole('list', { name: 'Starred' }).getByRole('link', { name: 'folder', exact: true })
  await starred.click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Remove star' }).click()
  await expect(starred).toHaveCount(0)

  await app.breadcrumb.getByRole('link', { name: corner.name }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await expect(app.dialog.getByRole('textbox')).toHaveValue(corner.name)
})

test('a menu is fully visible wherever it opens', async ({ app, page }) => {
  await page.setViewportSize({ width: 1200, height: 640 })
  const last = (await app.row('c.bin').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  for (const y of [last.y + last.height + 60, 600]) {
    await page.mouse.click(last.x + 200, y, { button: 'right' })
    const menu = page.getByRole('menu')
    await expect(menu).toBeVisible()
    await expect.poll(() => menu.evaluate(box => box.scrollHeight - box.clientHeight)).toBe(0)
    const { top, bottom } = await menu.evaluate(box => box.getBoundingClientRect())
    expect(top).toBeGreaterThanOrEqual(0)
    expect(bottom).toBeLessThanOrEqual(640)
    await page.keyboard.press('Escape')
    await expect(menu).toHaveCount(0)
  }
})

test('the button of a row opens its menu and keeps the selection only if the row is part of it', async ({
  app,
  page,
}) => {
  const actions = (name: string) => app.row(name).getByRole('button', { name: `Actions for ${name}` })
  await app.row('a.bin').click()
  await app.row('b.bin').click({ modifiers: ['Control'] })
  await actions('b.bin').click()
  await expect(page.getByRole('menu', { name: '2 selected' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(app.row('b.bin')).toBeFocused()
  await actions('c.bin').click()
  await expect(page.getByRole('menu', { name: 'c.bin' })).toBeVisible()
  await expect.poll(() => app.selected()).toEqual(['c.bin'])
})

test('the menu key opens the menu at the row', async ({ app, page }) => {
  await app.row('b.bin').click()
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menuitem', { name: /^Delete(?! perm)/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(app.row('b.bin')).toBeFocused()
})

test('actions that do not fit into the selection bar are in its menu', async ({ app, page }) => {
  await app.row('b.bin').click()
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await expect(bar.getByRole('button', { name: /^Delete(?! perm)/ })).toBeVisible()
  await page.setViewportSize({ width: 760, height: 600 })
  await expect(bar.getByRole('button', { name: /^Delete(?! perm)/ })).toBeHidden()
  await expect(bar.getByRole('button', { name: 'Download' })).toBeVisible()
  await bar.getByRole('button', { name: 'More' }).click()
  await expect(page.getByRole('menuitem', { name: /^Delete(?! perm)/ })).toBeVisible()
})
