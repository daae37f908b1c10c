import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from './fixtures.ts'
import { choose, makeFile, network, slowDown, test } from './sending.ts'

test('a file under way is a pale row at its place, which nothing selects, and becomes the row of the file', async ({
  app,
  page,
  corner,
  local,
}) => {
  for (const name of ['a-before.txt', 'z-after.txt']) await writeFile(join(corner.disk, name), name)
  await makeFile(join(local, 'm-coming.bin'), 9_000_000)
  await app.openFolder(corner.path)
  const session = await network(page)
  await slowDown(session, 3_000_000)
  await choose(app, 'Files', join(local, 'm-coming.bin'))
  const pale = app.rows.nth(1)
  await expect(pale).toContainText('m-coming.bin')
  await expect(pale.getByRole('img', { name: /^Uploading · \d+%/ })).toBeVisible()
  await pale.click()
  await app.grid.press('Control+a')
  expect(await app.selected()).toEqual(['a-before.txt', 'z-after.txt'])
  await slowDown(session, -1)
  await expect(app.row('m-coming.bin')).toBeVisible()
  await expect(app.grid.getByRole('img', { name: /Uploading/ })).toHaveCount(0)
  expect(await app.names()).toEqual(['a-before.txt', 'm-coming.bin', 'z-after.txt'])
  expect(await app.selected()).toEqual(['a-before.txt', 'z-after.txt'])
})

test('the summary of an upload leads to what was uploaded, from another folder too', async ({
  app,
  page,
  corner,
  local,
}) => {
  const names = ['shown-1.txt', 'shown-2.txt']
  for (const name of names) await writeFile(join(local, name), name)
  await writeFile(join(corner.disk, 'other.txt'), 'other')
  await app.openFolder(corner.path)
  await choose(
    app,
    'Files',
    names.map(name => join(local, name)),
  )
  await expect(app.uploads).toContainText('2 files uploaded to')
  await page.keyboard.press('Alt+ArrowUp')
  await expect(app.row('shown-1.txt')).toHaveCount(0)
  await app.uploads.getByRole('button', { name: 'Show' }).click()
  await app.isAt(`/files${corner.path}/`)
  await expect.poll(() => app.selected()).toEqual(names)
})

test('a pasted screenshot and a pasted file are uploaded, and their undo takes the summary away', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  const isTaken = () =>
    page.evaluate(() => {
      const clipboardData = new DataTransfer()
      const image = new File(['pixels'], 'image.png', { type: 'image/png' })
      for (const file of [image, new File(['text'], 'pasted notes.txt')]) clipboardData.items.add(file)
      const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      return document.activeElement?.dispatchEvent(paste) === false
    })
  // What takes files is loaded after the first rows.
  await expect.poll(isTaken).toBe(true)
  await expect(app.row('pasted notes.txt')).toBeVisible()
  const isScreenshot = expect.stringMatching(/^Screenshot \d{4}-\d\d-\d\d \d\d\.\d\d\.\d\d\.png$/)
  expect((await readdir(corner.disk)).sort()).toEqual([isScreenshot, 'pasted notes.txt'])
  expect(await readFile(join(corner.disk, 'pasted notes.txt'), 'utf8')).toBe('text')
  await expect(app.button('Undo')).toHaveCount(1)
  await app.uploads.getByRole('button', { name: 'Undo' }).click()
  await expect(app.uploads).toHaveCount(0)
  await expect.poll(() => readdir(corner.disk)).toEqual([])
})
