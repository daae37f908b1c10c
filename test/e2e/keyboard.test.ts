import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ANONYMOUS, expect, test } from './fixtures.ts'

test.describe('with the keyboard alone', () => {
  test.use({ storageState: ANONYMOUS })

  test('a visitor signs in, creates a folder, enters it, goes back, deletes it and signs out', async ({
    app,
    page,
    server,
    corner,
  }) => {
    const press = (...keys: string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())
    await mkdir(join(corner.disk, 'other'))
    await writeFile(join(corner.disk, 'a.txt'), 'a')
    await app.open(`/files${corner.path}/`)
    await expect(page.getByLabel('Username')).toBeFocused()
    await page.keyboard.type('admin')
    await press('Tab')
    await page.keyboard.type(server.adminPassword)
    await press('Enter')
    await expect(app.row('other')).toBeFocused()

    await press('Alt+n')
    await expect(app.naming.getByLabel('Folder name')).toBeFocused()
    await page.keyboard.type('by hand')
    await press('Enter')
    await expect(app.row('by hand')).toBeFocused()
    await press('Enter')
    await app.isAt(`/files${corner.path}/by hand/`)
    await expect(page.getByText('It feels lonely here…')).toBeVisible()
    await press('Alt+ArrowUp')
    await app.isAt(`/files${corner.path}/`)
    await expect(app.row('by hand')).toBeFocused()

    await press('Home', 'Shift+ArrowDown')
    await expect.poll(() => app.selected()).toHaveLength(2)
    await press('Shift+Delete')
    await expect(app.dialog).toContainText('by hand')
    await app.confirmDelete()
    await expect(app.dialog).toHaveCount(0)
    await expect.poll(() => readdir(corner.disk)).toEqual(['a.txt'])
    await expect(app.row('a.txt')).toBeFocused()

    const account = page.getByRole('button', { name: /^Account/ })
    for (let step = 0; step < 40; step += 1) {
      if (await account.evaluate(element => element === document.activeElement)) break
      await press('Tab')
    }
    await expect(account).toBeFocused()
    await press('Enter')
    const logout = page.getByRole('menuitem', { name: 'Log out' })
    await expect(logout).toBeVisible()
    await press('End')
    await expect(logout).toBeFocused()
    await press('Enter')
    await app.isAt('/login')
  })
})

test('the first Tab stop skips the navigation', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'one'))
  await app.openFolder(corner.path)
  await expect(app.row('one')).toBeFocused()
  // A row that loses the focus to nothing gets it back when the listing renders again, as for what the page loads last.
  await expect(async () => {
    await page.evaluate(() => {
      const active = document.activeElement
      if (active instanceof HTMLElement) active.blur()
      document.body.tabIndex = -1
      document.body.focus()
    })
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to files' })).toBeFocused({ timeout: 1000 })
  }).toPass()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
})

test('keys pressed while a folder loads apply to that folder, not to the one before', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'inner/innermost'), { recursive: true })
  await app.openFolder(corner.path)
  await expect(app.row('inner')).toBeFocused()
  await page.evaluate(openAndGoUpAtOnce)
  await expect(app.row('inner').or(app.row('innermost'))).toBeFocused()
  expect([`/files${corner.path}/`, `/files${corner.path}/inner/`]).toContain(await app.address())
})

/** Two keys so close together that the browser paints no frame in between. */
async function openAndGoUpAtOnce(): Promise<void> {
  const row = document.activeElement
  const press = (key: string, altKey: boolean) =>
    row?.dispatchEvent(new KeyboardEvent('keydown', { key, code: key, altKey, bubbles: true, cancelable: true }))
  press('Enter', false)
  await Promise.resolve()
  press('ArrowUp', true)
}

test('a dialog traps the focus and returns it', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'one'))
  await app.openFolder(corner.path)
  await app.row('one').click()
  await page.keyboard.press('Shift+Delete')
  await expect(app.dialog).toBeVisible()
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press('Tab')
    await expect.poll(() => app.dialog.evaluate(dialog => dialog.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(app.row('one')).toBeFocused()
})

test('the help lists the keys and F1 opens it', async ({ app, page, corner }) => {
  await app.openFolder(corner.path)
  await page.keyboard.press('F1')
  await expect(app.dialog).toContainText('Keyboard shortcuts')
  await expect(app.dialog).toContainText('Ctrl+A')
})
