import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'

test('F2 renames: the stem is selected, and the row stays focused under its new name', async ({
  app,
  page,
  corner,
}) => {
  for (const name of ['a.txt', 'report.final.pdf', 'z.txt']) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  await app.row('report.final.pdf').click()
  await page.keyboard.press('F2')
  const field = app.naming.getByLabel('New name')
  await expect(field).toBeFocused()
  await expect.poll(() => field.evaluate(selectionIn)).toBe('report.final')
  await page.keyboard.type('  Größe 100% #1')
  await page.keyboard.press('Enter')
  await expect(app.naming).toHaveCount(0)
  await expect(app.row('Größe 100% #1.pdf')).toBeFocused()
  await expect(page.getByText('Renamed to “Größe 100% #1.pdf”')).toBeVisible()
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['Größe 100% #1.pdf', 'a.txt', 'z.txt'])
})

test('what is typed while the field for a name loads is typed into it, and opens nothing', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'old'))
  const gate = Promise.withResolvers<void>()
  const asked: string[] = []
  await page.route(/\/assets\/folder-idle-[^/]+\.js$/, async route => {
    asked.push(route.request().url())
    await gate.promise
    await route.continue()
  })
  await app.openFolder(corner.path)
  await app.row('old').click()
  for (const key of ['F2', 'Control+a', 'n', 'e', 'x', 'Backspace', 'w', 'Enter']) await page.keyboard.press(key)
  await expect.poll(() => asked.length).toBe(1)
  gate.resolve()
  await expect(app.row('new')).toBeVisible()
  await app.isAt(`/files${corner.path}/`)
  await expect.poll(() => readdir(corner.disk)).toEqual(['new'])
})

const selectionIn = (field: HTMLElement | SVGElement) =>
  field instanceof HTMLInputElement ? field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0) : ''

test('a rename is undone from its notice', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'old.txt'), 'content')
  await app.openFolder(corner.path)
  await app.row('old.txt').click()
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('button', { name: 'Rename' }).click()
  await app.naming.getByLabel('New name').fill('new.txt')
  await page.keyboard.press('Enter')
  await expect(app.row('new.txt')).toBeVisible()
  await app.button('Undo').click()
  await expect(app.row('old.txt')).toBeFocused()
  await expect.poll(() => readFile(join(corner.disk, 'old.txt'), 'utf8')).toBe('content')
})

test('where moving copies, a folder is renamed by a job, and the undo is none of the page’s own', async ({
  app,
  page,
  corner,
}) => {
  await page.route(/\/files\//, async route => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('"MovesByCopy":false', '"MovesByCopy":true')
    await route.fulfill({ response: answer, body })
  })
  const asked: (string | null)[] = []
  page.on('request', request => {
    const [method, path] = [request.method(), new URL(request.url()).pathname]
    if (['POST', 'PATCH'].includes(method) && /\/api\/(?:jobs|resources)/.test(path)) asked.push(request.postData())
  })
  await mkdir(join(corner.disk, 'old'))
  await writeFile(join(corner.disk, 'old/a.txt'), 'content')
  await app.openFolder(corner.path)
  await app.row('old').click()
  await page.keyboard.press('F2')
  await app.naming.getByLabel('New name').fill('new')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Renamed to “new”')).toBeVisible()
  expect(await readFile(join(corner.disk, 'new/a.txt'), 'utf8')).toBe('content')
  await app.button('Undo').click()
  await expect(app.row('old')).toBeFocused()
  await expect.poll(() => readdir(corner.disk)).toEqual(['old'])
  expect(asked.map(body => JSON.parse(body ?? '{}').kind)).toEqual(['move'])
})

test('a name taken on the server prompts again with the input', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'mine.txt'), 'mine')
  await app.openFolder(corner.path)
  await writeFile(join(corner.disk, 'taken.txt'), 'theirs')
  await app.row('mine.txt').click()
  await page.keyboard.press('F2')
  await app.naming.getByLabel('New name').fill('taken.txt')
  await page.keyboard.press('Enter')
  await expect(app.naming.getByText('Something named “taken.txt” is already here.')).toBeVisible()
  await expect(app.naming.getByLabel('New name')).toHaveValue('taken.txt')
  await expect(app.naming.getByLabel('New name')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(app.row('mine.txt')).toBeVisible()
  await expect.poll(() => readFile(join(corner.disk, 'taken.txt'), 'utf8')).toBe('theirs')
})

test('a new file is created, focused, and can be undone', async ({ app, page, corner }) => {
  await app.openFolder(corner.path)
  await app.button('New').click()
  await page.getByRole('menuitem', { name: 'New file' }).click()
  const field = app.naming.getByLabel('File name')
  await field.fill('taken/')
  await page.keyboard.press('Enter')
  await expect(app.naming.getByText("A name can't contain “/”.")).toBeVisible()
  await field.fill('notes.md')
  await page.keyboard.press('Enter')
  await expect(app.row('notes.md')).toBeFocused()
  await expect(page.getByText('Created “notes.md”')).toBeVisible()
  await expect.poll(() => readFile(join(corner.disk, 'notes.md'), 'utf8')).toBe('')
  await page.keyboard.press('Control+z')
  await expect(app.row('notes.md')).toHaveCount(0)
  await expect.poll(() => readdir(corner.disk)).toEqual([])
})

test('names are typed in the rows: Tab continues, Escape keeps, a click saves, a reload moves the field with its row', async ({
  app,
  page,
  corner,
}) => {
  for (const name of ['b.txt', 'c.txt', 'd.txt', 'taken.txt']) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  const field = app.naming.getByRole('textbox')
  await app.row('b.txt').click()
  await page.keyboard.press('F2')
  await field.fill('b2.txt')
  await page.keyboard.press('Tab')
  await expect(field).toHaveValue('c.txt')
  await page.keyboard.type('c2')
  await writeFile(join(corner.disk, 'a new one.txt'), '')
  await expect(app.row('a new one.txt')).toBeVisible()
  await expect(field).toBeFocused()
  await page.keyboard.type(' too')
  await expect(field).toHaveValue('c2 too.txt')
  const top = async (part: Locator) => (await part.boundingBox())?.y ?? 0
  expect(Math.abs((await top(field)) - (await top(app.row('c.txt'))))).toBeLessThan(12)
  await app.row('taken.txt').click()
  await expect(app.row('c2 too.txt')).toBeVisible()
  await expect.poll(() => app.selected()).toEqual(['taken.txt'])

  await app.row('d.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await field.fill('taken.txt')
  await page.keyboard.press('Enter')
  await expect(app.naming.getByRole('alert')).toHaveText('Something named “taken.txt” is already here.')
  await page.keyboard.press('Escape')
  await expect(app.naming).toHaveCount(0)
  await expect(app.row('d.txt')).toBeFocused()
  await page.keyboard.press('Alt+n')
  await expect(field).toHaveValue('New folder')
  await expect(app.rows).toHaveCount(6)
  await app.row('d.txt').click()
  await expect(app.rows).toHaveCount(5)
  await expect
    .poll(async () => (await readdir(corner.disk)).sort())
    .toEqual(['a new one.txt', 'b2.txt', 'c2 too.txt', 'd.txt', 'taken.txt'])
})
