import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call } from '../api/client.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'

test('a note and comments are written in the details, stay with the renamed file, and are deleted after a question', async ({
  app,
  page,
  corner,
}) => {
  await writeFile(join(corner.disk, 'offer.txt'), 'content')
  await app.openFolder(corner.path)
  await app.row('offer.txt').click()
  await page.keyboard.press('Control+i')
  const aside = page.getByRole('complementary', { name: 'Details' })

  await aside.getByRole('button', { name: 'Add note' }).click()
  const text = '# Sent\nAs **sent**\nto [the bank](../bank.txt)\n\n- once\n\n<script>document.title = "x"</script>'
  await aside.getByRole('textbox', { name: 'Note' }).fill(text)
  await aside.getByRole('button', { name: 'Save', exact: true }).click()
  const note = aside.getByRole('region', { name: 'Note' })
  await expect(note.getByRole('heading', { name: 'Sent', level: 4 })).toBeVisible()
  await expect(note.getByText('sent', { exact: true })).toHaveCSS('font-weight', '600')
  await expect(note.getByRole('listitem')).toHaveText('once')
  await expect(note.getByRole('link', { name: 'the bank' })).toHaveAttribute('href', /\/files\/bank\.txt$/)
  expect(await page.title()).not.toBe('x')

  const comments = aside.getByRole('region', { name: 'Comments' })
  const field = comments.getByRole('textbox', { name: 'Write a comment' })
  await expect(comments.getByRole('button', { name: 'Comment', exact: true })).toBeDisabled()
  await field.fill('Page 3 is missing.')
  await field.press('Control+Enter')
  await expect(comments.getByRole('listitem')).toContainText('Page 3 is missing.')
  await expect(field).toHaveValue('')
  await comments.getByRole('button', { name: 'Edit comment' }).click()
  await comments.getByRole('textbox', { name: 'Edit comment' }).fill('Page 4 is missing.')
  await comments.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(comments.getByRole('listitem')).toContainText('edited')
  await expectAccessibleInBoth(page)

  await app.row('offer.txt').focus()
  await page.keyboard.press('F2')
  await app.naming.getByLabel('New name').fill('final.txt')
  await page.keyboard.press('Enter')
  await app.row('final.txt').click()
  await expect(aside.getByRole('heading', { name: 'final.txt' })).toBeVisible()
  await expect(note).toContainText('to the bank')
  await expect(comments.getByRole('listitem')).toContainText('Page 4 is missing.')
  const row = app.row('final.txt')
  await expect(row.getByRole('img', { name: 'Note' })).toBeVisible()
  await expect(row.getByRole('img', { name: 'Comments' })).toBeVisible()

  await comments.getByRole('button', { name: 'Delete comment' }).click()
  const question = comments.getByRole('group', { name: 'Delete this comment?' })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(comments.getByRole('listitem')).toHaveCount(0)
  await expect(row.getByRole('img', { name: 'Comments' })).toHaveCount(0)
  await note.getByRole('button', { name: 'Edit note' }).click()
  await aside.getByRole('textbox', { name: 'Note' }).fill('')
  await aside.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(aside.getByRole('button', { name: 'Add note' })).toBeVisible()
})

test('a comment and a note of another user appear while the details are open', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  await writeFile(join(corner.disk, 'offer.txt'), 'content')
  await app.openFolder(corner.path)
  await app.row('offer.txt').click()
  await page.keyboard.press('Control+i')
  const aside = page.getByRole('complementary', { name: 'Details' })
  await expect(aside.getByRole('region', { name: 'Comments' })).toBeVisible()
  await app.atRest()
  const say = (method: string, what: string, text: string) =>
    call(server, `/api/${what}${corner.path}/offer.txt`, { method, token, body: JSON.stringify({ text }) })
  expect((await say('POST', 'comments', 'Who sends it?')).status).toBe(201)
  await expect(aside.getByRole('region', { name: 'Comments' })).toContainText('Who sends it?')
  await expect(app.row('offer.txt').getByRole('img', { name: 'Comments' })).toBeVisible()
  expect((await say('PUT', 'notes', 'Sent on Monday')).status).toBe(204)
  await expect(aside.getByRole('region', { name: 'Note' })).toContainText('Sent on Monday')
})
