import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { call, encode, json } from '../api/client.ts'
import { type Link, linkTo } from '../api/links-client.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { ANONYMOUS, expect, test } from './fixtures.ts'

/** Chooses files of the visitor's own device. */
async function choose(page: Page, files: Record<string, string>): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose files' }).click(),
  ])
  const given = Object.entries(files).map(([name, content]) => ({
    ...{ name, mimeType: 'text/plain', buffer: Buffer.from(content) },
  }))
  await chooser.setFiles(given)
}

test('files are requested into the folder on the screen from the New menu, also into the topmost one', async ({
  app,
  page,
  corner,
  server,
  token,
}) => {
  await app.openFolder(corner.path)
  await app.button('New').click()
  await page.getByRole('menuitem', { name: 'Request files…' }).click()
  await expect(app.dialog).toContainText(`Request files for “${corner.name}”`)
  await expect(app.dialog.getByLabel('Message to visitors')).toBeVisible()
  await expect(app.dialog.getByRole('radio')).toHaveCount(0)
  await expectAccessibleInBoth(page)
  await app.dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(app.dialog.getByRole('listitem')).toContainText('Send files')
  await expect(app.dialog.getByText('Nothing has arrived yet')).toBeVisible()
  const [link]: Link[] = json(await call(server, `/api/share${encode(corner.path)}`, { token }))
  expect(link).toMatchObject({ kind: 'drop', path: `${corner.path}/` })

  await app.openFolder('')
  await app.button('New').click()
  await page.getByRole('menuitem', { name: 'Request files…' }).click()
  await expect(app.dialog).toContainText('Request files for “My files”')
  await expect(app.dialog.getByRole('button', { name: 'Create link' })).toBeVisible()
})

test('PUB-02 an owner asks for files, a visitor on a phone sends some, and the owner sees from whom', async ({
  app,
  page,
  corner,
  server,
  token,
  browser,
}) => {
  const disk = join(corner.disk, 'inbox')
  await mkdir(disk)
  await writeFile(join(disk, 'request taken.txt'), 'mine')
  await app.openFolder(corner.path)
  await app.row('inbox').click()
  await app.button('Share').click()
  await app.dialog.getByRole('radio', { name: /^Send files/ }).check()
  await app.dialog.getByLabel('Message to visitors').fill('Your contract, please.\nUntil Friday.')
  await app.dialog.getByText('More options').click()
  await app.dialog.getByRole('combobox', { name: 'Name of the sender' }).selectOption('Required')
  await app.dialog.getByLabel('Number of files').fill('none')
  await app.dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(app.dialog.getByText('Enter a number above 0.')).toBeVisible()
  await app.dialog.getByLabel('Number of files').fill('3')
  await app.dialog.getByLabel('Size of each file (MiB)').fill('1')
  await expect(app.dialog.getByText('Anyone with the link can send files.')).toBeVisible()
  await expectAccessibleInBoth(page)
  await app.dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(app.dialog.getByText('Nothing has arrived yet')).toBeVisible()
  const [link]: Link[] = json(await call(server, `/api/share${encode(`${corner.path}/inbox`)}`, { token }))

  const context = await browser.newContext({ storageState: ANONYMOUS, viewport: { width: 390, height: 844 } })
  const visitor = await context.newPage()
  await visitor.goto(`${server.url}/share/${link?.hash}`)
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('inbox')
  await expect(visitor.getByText('Until Friday.')).toBeVisible()
  await expect(visitor.getByText('3 files at most')).toBeVisible()
  await expect(visitor.getByText('request taken.txt')).toHaveCount(0)
  await choose(visitor, { 'request taken.txt': 'theirs', 'request large.bin': 'x'.repeat(1_100_000) })
  await expectAccessibleInBoth(visitor)
  await visitor.getByRole('button', { name: 'Send 2 files' }).click()
  await expect(visitor.getByText('Please enter your name.')).toBeVisible()
  await visitor.getByLabel('Your name').fill('Änne')
  await visitor.keyboard.press('Enter')
  await expect(visitor.getByText('This is more than the link takes.')).toBeVisible()
  await expect(visitor.getByText('1 upload failed')).toBeVisible()
  await expectAccessibleInBoth(visitor)
  await visitor.getByRole('button', { name: 'Cancel request large.bin' }).click()
  await expect(visitor.getByRole('heading', { name: 'Thank you!' })).toBeFocused()
  await expect(visitor.getByText('1 file was sent.')).toBeVisible()
  await expectAccessibleInBoth(visitor)
  expect((await readdir(disk)).sort()).toEqual(['request taken(1).txt', 'request taken.txt'])
  expect(await readFile(join(disk, 'request taken(1).txt'), 'utf8')).toBe('theirs')

  await visitor.getByRole('button', { name: 'Send more files' }).click()
  await expect(visitor.getByText('2 files at most')).toBeVisible()
  await expect(visitor.getByLabel('Your name')).toHaveValue('Änne')
  await context.close()

  await page.keyboard.press('Escape')
  await app.button('Share').click()
  await expect(app.dialog.getByText('1 file arrived')).toBeVisible()
  await app.button('What arrived').click()
  await expect(app.dialog.getByText('Änne')).toBeVisible()
  await expect(app.dialog.getByText('sent as request taken.txt')).toBeVisible()
  await expectAccessibleInBoth(page)
})

test('a file request with a password sends each file once, also after a lost connection', async ({
  page,
  corner,
  server,
  token,
  context,
}) => {
  await mkdir(join(corner.disk, 'locked'))
  const { hash } = await linkTo(server, token, `${corner.path}/locked/`, { kind: 'drop', password: 'sesame' })
  await page.goto(`${server.url}/share/${hash}`)
  await page.getByLabel('Password', { exact: true }).fill('sesame')
  await page.keyboard.press('Enter')
  await choose(page, { 'request locked.txt': 'content' })
  // The response to the last piece is lost: the server has the file, and takes no second one.
  let lost = false
  await context.route(/\/api\/public\/tus\//, async route => {
    if (lost || route.request().method() !== 'PATCH') return route.continue()
    lost = true
    await route.fetch()
    return route.abort('connectionreset')
  })
  await page.getByRole('button', { name: 'Send 1 file' }).click()
  await expect(page.getByRole('heading', { name: 'Thank you!' })).toBeVisible()
  expect(lost).toBe(true)
  expect(await readdir(join(corner.disk, 'locked'))).toEqual(['request locked.txt'])
})
