import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'

test('a name is a link: a middle click opens it in a new tab, and a click selects the row', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'linked folder'))
  await writeFile(join(corner.disk, 'linked.txt'), 'text')
  await app.openFolder(corner.path)
  const name = app.row('linked folder').getByRole('link')
  await name.click()
  expect(await app.selected()).toEqual(['linked folder'])
  const opened = page.context().waitForEvent('page')
  await name.click({ button: 'middle' })
  const tab = await opened
  await tab.waitForURL(`${app.url}/files${encodeURI(corner.path)}/linked%20folder/`, { waitUntil: 'commit' })
  await tab.close()
})

test('the menu of an item copies its address', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'addressed.txt'), 'text')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await app.openFolder(corner.path)
  await app.row('addressed.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy address' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toBe(`${app.url}/files${encodeURI(corner.path)}/addressed.txt`)
})
