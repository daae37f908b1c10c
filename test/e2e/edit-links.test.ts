import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { call, encode, json } from '../api/client.ts'
import { type Link, linkTo } from '../api/links-client.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { localFolder } from './trees.ts'
import { visit } from './visitor.ts'

/** Uploads files of the visitor's own device. */
async function upload({ page }: { page: Page }, files: Record<string, string>): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Upload', exact: true }).click(),
  ])
  await chooser.setFiles(
    Object.entries(files).map(([name, content]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) })),
  )
}

test('an owner lets visitors edit a folder, and sees what one of them has uploaded, made, renamed and deleted', async ({
  app,
  page,
  corner,
  server,
  token,
  browser,
}) => {
  await mkdir(join(corner.disk, 'team'))
  await writeFile(join(corner.disk, 'team/old.txt'), 'old')
  await writeFile(join(corner.disk, 'team/plan.txt'), 'plan')
  await app.openFolder(corner.path)
  await app.row('team').click()
  await app.button('Share').click()
  await app.dialog.getByRole('radio', { name: /^Edit together/ }).check()
  await app.dialog.getByRole('checkbox', { name: 'Upload and create folders' }).uncheck()
  await app.dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(app.dialog.getByText('Choose at least one.')).toBeVisible()
  for (const right of ['Upload and create folders', 'Rename', 'Replace files', 'Delete'])
    await app.dialog.getByRole('checkbox', { name: right }).check()
  await expect(app.dialog.getByRole('status').last()).toContainText(
    /Anyone with the link can do this: View and download.* Upload and create folders.* Rename.* Replace files.* Delete/,
  )
  await expectAccessibleInBoth(page)
  await app.dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(app.dialog.getByText(/^Edit together: View and download/)).toBeVisible()
  const [link]: Link[] = json(await call(server, `/api/share${encode(`${corner.path}/team`)}`, { token }))
  await page.keyboard.press('Escape')

  const visitor = await visit(browser, server.url, link?.hash ?? '')
  await expect(visitor.row('plan.txt')).toBeVisible()
  await upload(visitor, { 'new.txt': 'new', 'plan.txt': 'other plan' })
  await expect(visitor.dialog).toContainText('1 file already exists')
  await visitor.dialog.getByRole('combobox', { name: /plan\.txt/ }).selectOption('Replace')
  await expectAccessibleInBoth(visitor.page)
  await visitor.dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(visitor.row('new.txt')).toBeVisible()
  await expect.poll(() => readFile(join(corner.disk, 'team/plan.txt'), 'utf8')).toBe('other plan')

  await visitor.button('New folder').click()
  await visitor.dialog.getByRole('textbox', { name: 'Folder name' }).fill('plan.txt')
  await visitor.page.keyboard.press('Enter')
  await expect(visitor.dialog).toContainText('Something named “plan.txt” is already here.')
  await visitor.dialog.getByRole('textbox', { name: 'Folder name' }).fill('Photos')
  await visitor.page.keyboard.press('Enter')
  await expect(visitor.row('Photos')).toBeVisible()

  await visitor.button('Select').click()
  await visitor.row('new.txt').click()
  await expectAccessibleInBoth(visitor.page)
  await visitor.button('Rename').click()
  await visitor.dialog.getByRole('textbox', { name: 'New name' }).fill('newer.txt')
  await visitor.page.keyboard.press('Enter')
  await expect(visitor.row('newer.txt')).toBeVisible()
  await expect(visitor.row('new.txt')).toHaveCount(0)

  await visitor.row('old.txt').click()
  await visitor.page.keyboard.press('Delete')
  await expect(visitor.dialog).toContainText("You can't undo this.")
  await expectAccessibleInBoth(visitor.page)
  await visitor.dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(visitor.dialog).toHaveCount(0)
  await expect.poll(() => visitor.names()).toEqual(['Photos', 'newer.txt', 'plan.txt'])
  expect((await readdir(join(corner.disk, 'team'))).sort()).toEqual(['Photos', 'newer.txt', 'plan.txt'])
  await visitor.page.context().close()

  await app.openFolder(`${corner.path}/team`)
  await expect.poll(() => app.names()).toEqual(['Photos', 'newer.txt', 'plan.txt'])
})

test('a link that only takes files offers nothing else, asks for its password, and keeps what is there', async ({
  corner,
  server,
  token,
  browser,
}) => {
  await mkdir(join(corner.disk, 'inbox'))
  await writeFile(join(corner.disk, 'inbox/taken.txt'), 'mine')
  const given = { kind: 'edit', rights: ['create'], password: 'sesame' }
  const { hash } = await linkTo(server, token, `${corner.path}/inbox/`, given)
  const visitor = await visit(browser, server.url, hash, { width: 1280, height: 800 })
  const { page } = visitor
  await page.getByLabel('Password', { exact: true }).fill('sesame')
  await page.keyboard.press('Enter')
  await expect(visitor.row('taken.txt')).toBeVisible()
  await visitor.button('Select').click()
  await visitor.row('taken.txt').click()
  await expect(page.getByRole('status').filter({ hasText: '1 selected' })).toBeVisible()
  await expect(visitor.button('Rename')).toHaveCount(0)
  await expect(visitor.button('Delete')).toHaveCount(0)
  await page.keyboard.press('Delete')
  await expect(visitor.dialog).toHaveCount(0)
  await page.keyboard.press('Escape')

  await upload(visitor, { 'taken.txt': 'theirs' })
  const choices = visitor.dialog.getByRole('combobox', { name: /taken\.txt/ }).getByRole('option')
  await expect(choices).toHaveText(['Keep both', 'Skip'])
  await visitor.dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(visitor.row('taken(1).txt')).toBeVisible()
  expect(await readFile(join(corner.disk, 'inbox/taken.txt'), 'utf8')).toBe('mine')

  const local = await localFolder(corner.name)
  await writeFile(join(local.path, 'from desk.txt'), 'desk')
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files: [join(local.path, 'from desk.txt')], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data })
  await expect(page.getByText('Drop to upload to “inbox”')).toBeVisible()
  await session.send('Input.dispatchDragEvent', { type: 'drop', x: 600, y: 400, data })
  await expect(visitor.row('from desk.txt')).toBeVisible()
  await local.remove()
  expect((await readdir(join(corner.disk, 'inbox'))).sort()).toEqual(['from desk.txt', 'taken(1).txt', 'taken.txt'])

  // What the owner takes back while the page is open is refused in clear words.
  await call(server, `/api/links/${hash}`, {
    method: 'PATCH',
    token,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ rights: ['delete'] }),
  })
  await visitor.button('New folder').click()
  await visitor.confirm()
  await expect(page.getByText("This link doesn't allow that.")).toBeVisible()
  await expect(visitor.button('New folder')).toHaveCount(0)
  await page.context().close()
})
