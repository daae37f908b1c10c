import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'

test('a confirmation can be read, and is listed with its time among the notifications', async ({
  app,
  page,
  corner,
}) => {
  await page.clock.install()
  await writeFile(join(corner.disk, 'a.txt'), 'a')
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await page.keyboard.press('Control+x')
  await page.keyboard.press('Control+v')
  const notice = page.getByRole('region', { name: 'Notifications' }).getByText('It is already here.')
  await expect(notice).toBeVisible()
  await page.clock.runFor(4000)
  await expect(notice).toBeVisible()
  await page.clock.runFor(10_000)
  await expect(notice).toHaveCount(0)

  await page.keyboard.press('Control+k')
  await app.dialog.getByRole('combobox').fill('notif')
  await page.keyboard.press('Enter')
  const list = app.dialog.getByRole('log', { name: 'Notifications' })
  await expect(list.getByRole('listitem')).toContainText(['It is already here.'])
  await expect(list.getByRole('time')).toHaveAttribute('title', /\d/)
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Escape')
  await expect(app.dialog).toHaveCount(0)
})

test('an item that is cut after it was copied takes its place on the clipboard', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'a.txt'), 'a')
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await page.keyboard.press('Control+c')
  await expect(page.getByText('“a.txt” copied')).toBeVisible()
  await page.keyboard.press('Control+x')
  // The paste bar says so too, once it is loaded.
  await expect(page.getByText('“a.txt” cut').first()).toBeVisible()
  await expect(page.getByText('“a.txt” copied')).toHaveCount(0)
})

test('the account menu opens the list, which holds the last twenty notifications', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'one'))
  await app.openFolder(corner.path)
  await app.row('one').click()
  await page.keyboard.press('Control+x')
  for (let times = 0; times < 22; times += 1) await page.keyboard.press('Control+v')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Notifications' }).click()
  await expect(app.dialog.getByRole('listitem')).toHaveCount(20)
  await expect(app.dialog.getByRole('listitem').first()).toContainText('It is already here.')
})

test('after a change of the account the list is empty', async ({ app, page, corner, server }) => {
  await writeFile(join(corner.disk, 'secret.txt'), 'a')
  await app.openFolder(corner.path)
  await app.row('secret.txt').click()
  await page.keyboard.press('Control+x')
  await page.keyboard.press('Control+v')
  await expect(page.getByRole('region', { name: 'Notifications' }).getByText('It is already here.')).toBeVisible()
  const account = page.getByRole('button', { name: /^Account/ })
  await account.click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await app.logIn(server.adminPassword)
  await app.settled()
  await account.click()
  await page.getByRole('menuitem', { name: 'Notifications' }).click()
  await expect(app.dialog).toContainText('No notifications yet.')
})
