import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, encode } from '../api/client.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'

test('stars are set by key, marked in the folder, listed, put in order by keys, and followed to the trash', async ({
  app,
  page,
  corner,
}) => {
  for (const name of ['starred-a.txt', 'starred-b.txt']) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  await app.row('starred-a.txt').click()
  await page.keyboard.press('Alt+s')
  await expect(app.row('starred-a.txt').getByRole('img', { name: 'Starred' })).toBeVisible()
  await app.row('starred-b.txt').click()
  await page.keyboard.press('Alt+s')
  await expect(app.row('starred-b.txt').getByRole('img', { name: 'Starred' })).toBeVisible()
  await page.keyboard.press('Delete')
  await expect(page.getByText('Moved “starred-b.txt” to the trash')).toBeVisible()

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Starred' }).click()
  const rows = page.getByRole('list', { name: 'Starred' }).getByRole('listitem').filter({ hasText: 'starred-' })
  await expect(rows).toContainText(['starred-a.txt', 'In the trash'])
  await expectAccessibleInBoth(page)
  await rows.first().getByRole('link', { name: 'starred-a.txt' }).focus()
  await page.keyboard.press('Alt+ArrowDown')
  await expect(rows).toContainText(['starred-b.txt', 'starred-a.txt'])
  await page.reload()
  await expect(rows).toContainText(['starred-b.txt', 'starred-a.txt'])
  await rows.nth(1).dragTo(rows.first())
  await expect(rows).toContainText(['starred-a.txt', 'starred-b.txt'])
  await rows.nth(1).getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Remove star' }).click()
  await expect(rows).toHaveCount(1)
  await rows
    .first()
    .getByRole('link', { name: corner.path.slice(1) })
    .click()
  await expect(app.row('starred-a.txt')).toBeVisible()
})

test('opened files are listed, shown in the details, and forgotten when the profile says so', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'docs'))
  await writeFile(join(corner.disk, 'docs/opened-once.txt'), 'text')
  await app.openFolder(`${corner.path}/docs`)
  await app.row('opened-once.txt').dblclick()
  await expect(page.getByText('text', { exact: true })).toBeVisible()
  await app.open('/recent')
  const list = page.getByRole('list', { name: 'Opened' })
  await expect(list.getByRole('link', { name: 'opened-once.txt' })).toBeVisible()
  await expectAccessibleInBoth(page)
  await app.openFolder(`${corner.path}/docs`)
  await app.row('opened-once.txt').click()
  await page.keyboard.press('Control+i')
  await expect(page.getByRole('complementary').getByText('Opened by you')).toBeVisible()
  await page.keyboard.press('Control+i')

  await app.open('/settings/profile')
  await app.button('Clear list').click()
  await expect(page.getByText('The list of recent files is empty.')).toBeVisible()
  const remember = page.getByRole('checkbox', { name: 'Remember which files I open' })
  await remember.click()
  await expect(remember).not.toBeChecked()
  await app.open('/recent')
  await expect(page.getByText('Opened files are not noted')).toBeVisible()
  await app.open('/settings/profile')
  await remember.click()
  await expect(remember).toBeChecked()
})

test('the details have the timeline of a file, with its former name, and undo', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  await writeFile(join(corner.disk, 'timeline-draft.txt'), 'text')
  const destination = encode(`${corner.path}/timeline-final.txt`)
  const query = new URLSearchParams({ action: 'rename', destination })
  const from = encode(`${corner.path}/timeline-draft.txt`)
  const { status } = await call(server, `/api/resources${from}?${query}`, { method: 'PATCH', token })
  expect(status).toBe(200)
  await app.openFolder(corner.path)
  await app.row('timeline-final.txt').click()
  await page.keyboard.press('Control+i')
  await page.getByRole('complementary').getByRole('button', { name: 'Activity' }).click()
  const timeline = page.getByRole('region', { name: 'Activity' })
  await expect(timeline.getByText('Was called “timeline-draft.txt”')).toBeVisible()
  await expectAccessibleInBoth(page)
  await timeline.getByRole('button', { name: /^Undo/ }).click()
  await expect(app.row('timeline-draft.txt')).toBeVisible()
})

test('tags are made and set in a dialog, shown in the row and the details, and lead to the items that have them', async ({
  app,
  page,
  corner,
}) => {
  for (const name of ['tagged-a.txt', 'tagged-b.txt']) await writeFile(join(corner.disk, name), name)
  const tag = `Invoice ${corner.name}`
  await app.openFolder(corner.path)
  await app.row('tagged-a.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Tags…', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Tags' })
  await dialog.getByRole('textbox', { name: 'Find or create a tag' }).fill(tag)
  await dialog.getByRole('radio', { name: 'Green' }).check()
  await expectAccessibleInBoth(page)
  await dialog.getByRole('button', { name: `Create “${tag}”` }).click()
  await expect(dialog.getByRole('checkbox', { name: tag })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(app.row('tagged-a.txt').getByRole('img', { name: tag })).toBeVisible()

  await app.row('tagged-a.txt').click()
  await app.row('tagged-b.txt').click({ modifiers: ['Shift'] })
  await app.row('tagged-b.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Tags…', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Find or create a tag' }).fill(tag.toUpperCase())
  await expect(dialog.getByRole('checkbox', { name: tag })).not.toBeChecked()
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('checkbox', { name: tag })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(app.row('tagged-b.txt').getByRole('img', { name: tag })).toBeVisible()

  await app.row('tagged-a.txt').click()
  await page.keyboard.press('Control+i')
  await page.getByRole('complementary', { name: 'Details' }).getByRole('link', { name: tag }).click()
  const rows = page.getByRole('list', { name: tag }).getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'Remove the tag from tagged-b.txt' }).click()
  await expect(rows).toContainText(['tagged-a.txt'])
  await page.getByRole('button', { name: 'Edit tag' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit tag' })
  await expect(editor.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await editor.getByRole('textbox', { name: 'Name' }).fill(`${tag} 2`)
  await editor.getByRole('radio', { name: 'Pink' }).check()
  await page.keyboard.press('Enter')
  await expect(editor).toHaveCount(0)
  await expect(page.getByRole('link', { name: `${tag} 2` })).toBeVisible()
  await expect(page.getByRole('list', { name: `${tag} 2` }).getByRole('listitem')).toContainText(['tagged-a.txt'])
  await page.getByRole('button', { name: 'Delete tag' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('link', { name: tag })).toHaveCount(0)
})
