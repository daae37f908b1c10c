import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { call, encode, json } from '../api/client.ts'
import { type Link, linkTo, viewShare } from '../api/links-client.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'

test('a changed link gets its earlier settings back, and what lets visitors in as before only after a question', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  await mkdir(join(corner.disk, 'folder'))
  const { hash, expire } = await linkTo(server, token, `${corner.path}/folder/`, { expires: '5', unit: 'days' })
  const linkNow = async (): Promise<Link | undefined> =>
    json(await call(server, `/api/share${encode(`${corner.path}/folder`)}`, { token })).at(0)
  await app.openFolder(corner.path)
  await app.row('folder').click()
  const change = async () => {
    await app.button('Share').click()
    await app.button('Change link').click()
  }
  const close = async () => {
    await expect(app.button('Change link')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(app.dialog).toHaveCount(0)
  }

  await change()
  await app.dialog.getByRole('combobox', { name: 'Expires' }).selectOption('Never')
  await app.button('Save').click()
  await expect(page.getByText('Link changed')).toBeVisible()
  expect((await linkNow())?.expire).toBe(0)
  await close()
  await app.button('Undo').click()
  await expect(page.getByText('Undone: Changed the link to “folder”').first()).toBeVisible()
  expect((await linkNow())?.expire).toBe(expire)

  await change()
  await app.dialog.getByLabel('Password', { exact: true }).fill('second')
  await app.button('Save').click()
  await expect.poll(async () => (await viewShare(server, hash)).status).toBe(401)
  await close()
  await app.button('Undo').click()
  await expect(app.dialog).toContainText('The link would be open as before again')
  const undo = app.dialog.getByRole('button', { name: 'Undo', exact: true })
  await expect(undo).toBeDisabled()
  await expectAccessibleInBoth(page)
  expect((await viewShare(server, hash)).status).toBe(401)
  await app.dialog.getByLabel('Action for folder').selectOption('Restore the earlier settings')
  await undo.click()
  await expect.poll(async () => (await viewShare(server, hash)).status).toBe(200)
  await app.open('/history/')
  await expect(page.getByText('Undone: Changed the link to “folder”').first()).toBeVisible()
})
