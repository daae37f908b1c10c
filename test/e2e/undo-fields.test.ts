import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { area, startEditing } from './typing.ts'

const KEYS = ['Control+z', 'Control+Shift+z', 'Control+y']

test('JRNL-05 Ctrl+Z in a text field reaches no file', async ({ app, page, corner }) => {
  test.slow()
  for (const name of ['typed-a.txt', 'typed-b.txt']) await writeFile(join(corner.disk, name), name)
  const asked: string[] = []
  page.on('request', request => {
    const { pathname, search } = new URL(request.url())
    if (/\/api\/changes\b/.test(pathname) && (request.method() === 'POST' || search.includes('session=')))
      asked.push(`${request.method()} ${pathname}${search}`)
  })
  /** Types into a field and presses the keys. */
  const tryField = async (field: Locator, typed = 'x') => {
    await field.focus()
    if (typed !== '') await page.keyboard.type(typed)
    for (const keys of KEYS) await page.keyboard.press(keys)
    expect(asked, String(field)).toEqual([])
  }
  /** The same for all text fields in a part of the page. */
  const tryAll = async (part: Locator) => {
    const fields = part.locator(
      'input:not([type=checkbox], [type=radio], [type=file]):visible, textarea:visible, select:visible',
    )
    await fields.first().waitFor()
    for (const field of await fields.all()) if (await field.isEnabled()) await tryField(field, '')
  }
  const openByKeys = async (keys: string) => {
    // A second click soon after the first one would open the file.
    if ((await app.selected()).length === 0) await app.row('typed-a.txt').click()
    await page.keyboard.press(keys)
    await expect(app.dialog.or(app.naming)).toBeVisible()
  }
  const close = async () => {
    await page.keyboard.press('Escape')
    await expect(app.dialog.or(app.naming)).toHaveCount(0)
  }

  await app.openFolder(corner.path)
  await app.row('typed-b.txt').click()
  await page.keyboard.press('Delete')
  await expect(page.getByText('Moved “typed-b.txt” to the trash')).toBeVisible()

  for (const keys of ['F2', 'Alt+n', 'Alt+v', 'Alt+h', 'F1', 'Control+k']) {
    await openByKeys(keys)
    if (keys === 'Alt+v') for (const key of KEYS) await page.keyboard.press(key)
    else await tryAll(app.dialog.or(app.naming))
    await close()
  }
  await page.keyboard.press('/')
  await tryField(page.getByRole('textbox', { name: 'Filter this folder' }), 'typed')
  await page.keyboard.press('Escape')
  await expect(app.row('typed-a.txt')).toBeFocused()
  await page.keyboard.press('Control+f')
  await expect(page.locator('input:focus')).toBeVisible()
  await tryField(page.locator('input:focus'))
  await page.keyboard.press('Escape')

  await app.openFolder(corner.path)
  await app.row('typed-a.txt').dblclick()
  await startEditing(page)
  await tryField(area(page))
  await page.keyboard.press('Control+f')
  await tryAll(page.getByRole('search').or(page.locator('.cm-panels')).first())
  await app.openFolder(corner.path)

  for (const address of [
    '/trash/',
    '/history/',
    '/settings/profile',
    '/settings/security',
    '/settings/global',
    '/settings/audit',
  ]) {
    await app.open(address)
    await tryAll(page.getByRole('main'))
  }
  await app.open('/settings/users')
  await page
    .getByRole('link', { name: 'New' })
    .or(page.getByRole('button', { name: 'New' }))
    .first()
    .click()
  await tryAll(page.getByRole('main'))
  expect(asked).toEqual([])

  await app.openFolder(corner.path)
  await app.row('typed-a.txt').focus()
  await page.keyboard.press('Control+z')
  await expect(app.row('typed-b.txt')).toBeVisible()
})
