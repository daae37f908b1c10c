import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, encode } from '../api/client.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { type Corner, expect, test } from './fixtures.ts'

interface Saved {
  server: { url: string }
  token: string
  corner: Corner
}

/** Saves a file through the server, so that what it had before becomes a version. */
async function save({ server, token, corner }: Saved, name: string, body: string): Promise<void> {
  const { status } = await call(server, `/api/resources${encode(`${corner.path}/${name}`)}?override=true`, {
    method: 'POST',
    token,
    body,
  })
  expect(status).toBe(200)
}

test('a former content is compared with the current one, restored, and saved as a copy', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  const saved = { server, token, corner }
  await writeFile(join(corner.disk, 'a.txt'), 'one\ntwo\n')
  await save(saved, 'a.txt', 'one\nthree\n')
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await page.keyboard.press('Alt+v')
  const { dialog } = app
  await expect(dialog.getByRole('heading', { name: 'Versions of “a.txt”' })).toBeVisible()
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await expectAccessibleInBoth(page)
  const menu = dialog.getByRole('button', { name: /^Actions for the version of/ })
  await menu.click()
  await page.getByRole('menuitem', { name: 'Compare with the current content' }).click()
  await expect(dialog.getByRole('heading', { name: 'Changes in “a.txt”' })).toBeVisible()
  await expect(dialog.getByText('three').first()).toBeVisible()
  await expect(dialog.getByText('two').first()).toBeVisible()
  await dialog.getByRole('button', { name: 'All versions' }).click()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Restore as a copy' }).click()
  await expect.poll(() => readdir(corner.disk)).toHaveLength(2)
  await dialog.getByRole('button', { name: /^Restore the version of/ }).click()
  await expect(page.getByText(/^Restored the version of/)).toBeVisible()
  expect(await readFile(join(corner.disk, 'a.txt'), 'utf8')).toBe('one\ntwo\n')
  await expect(dialog.getByRole('listitem').first()).toBeVisible()
})

test('a version is named, kept permanently, and deleted after a question', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  const saved = { server, token, corner }
  await writeFile(join(corner.disk, 'a.txt'), 'one')
  await save(saved, 'a.txt', 'two')
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await page.keyboard.press('Alt+v')
  const { dialog } = app
  const command = async (name: string) => {
    await dialog.getByRole('button', { name: /^Actions for the version of/ }).click()
    await page.getByRole('menuitem', { name }).click()
  }
  await command('Name…')
  await dialog.getByRole('textbox').fill('Before the review')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('Before the review')).toBeVisible()
  await expect(dialog.getByLabel('Kept permanently')).toBeVisible()
  await command('Delete version')
  await dialog.getByRole('button', { name: 'Delete version' }).click()
  await expect(page.getByText('Deleted the version')).toBeVisible()
  await expect(dialog.getByText('No versions yet. The next change keeps the present content.')).toBeVisible()
})

test('on a phone the versions of a file fit the screen', async ({ app, page, corner, server, token }) => {
  await page.setViewportSize({ width: 320, height: 640 })
  await writeFile(join(corner.disk, 'a.txt'), 'one')
  await save({ server, token, corner }, 'a.txt', 'two')
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Alt+v')
  await expect(app.dialog.getByRole('listitem')).toHaveCount(1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  await expectAccessibleInBoth(page)
})

test('restoring a version in the editor shows the restored text', async ({ app, page, corner, server, token }) => {
  await writeFile(join(corner.disk, 'a.txt'), 'the former text')
  await save({ server, token, corner }, 'a.txt', 'the present text')
  await app.open(`/files${encode(corner.path)}/a.txt?as=text`)
  await expect(page.getByText('the present text')).toBeVisible()
  await page.getByRole('main').last().getByRole('button', { name: 'Actions', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Versions…' }).click()
  await app.dialog.getByRole('button', { name: /^Restore the version of/ }).click()
  await app.dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByText('the former text')).toBeVisible()
})
