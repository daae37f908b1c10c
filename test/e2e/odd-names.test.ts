import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'

/** `café` in Latin-1. */
const CAFE = Buffer.from('caf\u00e9', 'latin1')

const on = (disk: string, ...names: Buffer[]) =>
  Buffer.concat([Buffer.from(disk), ...names.flatMap(name => [Buffer.from('/'), name])])

test('a name that is not UTF-8 is shown escaped, entered, kept by a reload, and deleted alone', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(on(corner.disk, CAFE))
  await mkdir(on(corner.disk, Buffer.from('café')))
  await writeFile(on(corner.disk, CAFE, CAFE), 'x')
  await writeFile(on(corner.disk, CAFE, Buffer.from('caf\u00ea', 'latin1')), 'x')
  await app.openFolder(corner.path)
  expect((await app.names()).toSorted()).toEqual(['caf\\xE9', 'café'])
  await app.row('caf\\xE9').dblclick()
  await expect(app.row('caf\\xEA')).toBeVisible()
  expect(new URL(page.url()).pathname).toMatch(/\/caf%E9\/$/)
  await expect(app.breadcrumb).toContainText('caf\\xE9')
  await page.reload()
  await app.row('caf\\xE9').click()
  await page.keyboard.press('Shift+Delete')
  await expect(page.getByRole('alertdialog', { name: 'Delete “caf\\xE9” permanently?' })).toBeVisible()
  await app.confirmDelete()
  await expect(app.row('caf\\xE9')).toHaveCount(0)
  await expect.poll(() => readdir(on(corner.disk, CAFE), 'latin1')).toEqual(['caf\u00ea'])
  await expect.poll(() => existsSync(on(corner.disk, Buffer.from('café')))).toBe(true)
})

test('NAME-11 line breaks and reversing characters in names are shown as symbols, and the file is opened', async ({
  app,
  page,
  corner,
}) => {
  await writeFile(join(corner.disk, 'two\nlines\u200b \u202egpj.txt'), 'of text')
  await writeFile(join(corner.disk, 'plain.txt'), '')
  await app.openFolder(corner.path)
  const shown = 'two␊lines\\u200B \\u202Egpj.txt'
  const height = async (name: string) => (await app.row(name).getByRole('link').first().boundingBox())?.height
  await expect.poll(async () => (await height(shown)) === (await height('plain.txt'))).toBe(true)
  await app.row(shown).dblclick()
  await expect(page.getByRole('textbox', { name: `Contents of ${shown}` })).toHaveText('of text')
  await app.button('Close').click()
  await app.row(shown).click()
  await page.keyboard.press('Shift+Delete')
  await expect(page.getByRole('alertdialog', { name: `Delete “${shown}” permanently?` })).toBeVisible()
})
