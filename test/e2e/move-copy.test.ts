import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from './app.ts'
import { expectAccessibleInBoth } from './axe.ts'
import { longPress } from './finger.ts'
import { expect, test } from './fixtures.ts'

const tree = (app: App) => app.dialog.getByRole('tree', { name: 'Destination' })
/** Opens the folder of a row. */
async function enter(app: App, name: string): Promise<void> {
  await app.row(name).dblclick()
  const grid = app.page.getByRole('grid', { name: `Files in ${name}` })
  await expect(grid.or(app.page.getByText('It feels lonely here…'))).toBeVisible()
}

const folder = (app: App, name: string) => tree(app).getByRole('treeitem', { name, exact: true })

test('a selection is moved with the keyboard alone into a folder that is created on the way', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'target/inner'), { recursive: true })
  for (const name of ['a, b.txt', 'c+d %25.txt']) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  await page.keyboard.press('End')
  await page.keyboard.press('Shift+ArrowUp')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Move to…' }).press('Enter')
  await expect(app.dialog).toContainText('Move 2 items')
  await expect(folder(app, corner.name)).toBeFocused()
  await expect(app.dialog).toContainText('They are already here.')
  await page.keyboard.press('Enter')
  await expect(app.dialog).toBeVisible()

  await expect(folder(app, 'target')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(folder(app, 'target')).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(folder(app, 'inner')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(folder(app, 'inner')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(app.dialog.getByRole('button', { name: 'New folder' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(app.dialog.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('made here')
  await page.keyboard.press('Enter')
  await expect(folder(app, 'made here')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(app.dialog).toHaveCount(0)
  await expect(page.getByText('Moved 2 items to “made here”')).toBeVisible()
  await expect(app.rows).toHaveCount(1)
  await expect.poll(() => readdir(join(corner.disk, 'target/inner/made here'))).toEqual(['a, b.txt', 'c+d %25.txt'])

  await app.row('target').focus()
  await page.keyboard.press('Control+z')
  await expect(app.row('c+d %25.txt')).toBeVisible()
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['a, b.txt', 'c+d %25.txt', 'target'])
})

test('a copy of a small file is compared with its original, if the user wants that', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'compared'))
  await writeFile(join(corner.disk, 'letter.txt'), 'dear')
  await app.openFolder(corner.path)
  await app.row('letter.txt').click()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Copy to…' }).click()
  await folder(app, 'compared').click()
  await app.dialog.getByRole('checkbox', { name: 'Compare each copy with its original' }).check()
  const asked = page.waitForRequest(request => request.method() === 'POST' && request.url().endsWith('/api/jobs'))
  await app.dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  expect((await asked).postDataJSON()).toMatchObject({ kind: 'copy', verify: true })
  await expect(page.getByText('Copied “letter.txt” to “compared”')).toBeVisible()
  expect(await readFile(join(corner.disk, 'compared/letter.txt'), 'utf8')).toBe('dear')
})

test('a copy is made with the mouse, and the folder used last is suggested', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'there'))
  await mkdir(join(corner.disk, 'tree/inner'), { recursive: true })
  await writeFile(join(corner.disk, 'tree/inner/a.txt'), 'a')
  await app.openFolder(corner.path)
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  const copy = async () => {
    await app.row('tree').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy to…' }).click()
  }
  await copy()
  await folder(app, 'tree').click()
  await expect(app.dialog).toContainText("A folder can't be moved or copied into itself.")
  await expect(app.dialog.getByRole('button', { name: 'Copy', exact: true })).toHaveAttribute('aria-disabled', 'true')
  await folder(app, 'there').click()
  await app.dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(page.getByText('Copied “tree” to “there”')).toBeVisible()
  await expect.poll(() => readFile(join(corner.disk, 'there/tree/inner/a.txt'), 'utf8')).toBe('a')
  await expect.poll(() => readFile(join(corner.disk, 'tree/inner/a.txt'), 'utf8')).toBe('a')

  await expect(bar).toBeVisible()
  await copy()
  await app.dialog.getByRole('list', { name: 'Recent' }).getByRole('button', { name: 'there' }).click()
  await expect(folder(app, 'there')).toHaveAttribute('aria-selected', 'true')
})

test('each conflict is decided separately, and items without one proceed', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'to'))
  for (const name of ['both.txt', 'free.txt', 'replace.txt', 'skip.txt']) {
    await writeFile(join(corner.disk, name), `new ${name}`)
    if (name !== 'free.txt') await writeFile(join(corner.disk, 'to', name), 'old')
  }
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+a')
  await app.row('to').click({ modifiers: ['Control'] })
  await page.keyboard.press('Control+x')
  await enter(app, 'to')
  await page.keyboard.press('Control+v')
  await expect(page.getByRole('dialog', { name: '3 items already exist' })).toBeVisible()
  await expect.poll(() => readdir(join(corner.disk, 'to'))).toContain('free.txt')
  const choose = (name: string, what: string) =>
    app.dialog.getByLabel(`Action for ${name}`).selectOption({ label: what })
  await expect(app.dialog.getByLabel('Action for both.txt')).toHaveValue('keepBoth')
  await choose('replace.txt', 'Replace')
  await choose('skip.txt', 'Skip')
  await expect(app.button('Continue')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(app.row('both(1).txt')).toBeVisible()
  const content = (name: string) => readFile(join(corner.disk, name), 'utf8')
  expect(await content('to/both.txt')).toBe('old')
  expect(await content('to/both(1).txt')).toBe('new both.txt')
  await expect.poll(() => content('to/replace.txt')).toBe('new replace.txt')
  expect(await content('to/skip.txt')).toBe('old')
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['skip.txt', 'to'])
})

test('conflicts in folders that merge are decided file by file, before anything moves', async ({
  app,
  page,
  corner,
}) => {
  const day = 24 * 3600
  const place = (top: string, name: string) => join(corner.disk, top, 'trip/day', name)
  for (const top of ['.', 'to']) {
    await mkdir(place(top, '.'), { recursive: true })
    for (const name of ['both', 'newer', 'older', 'replace', 'same', 'skip']) {
      await writeFile(place(top, `${name}.txt`), name === 'same' ? name : `${name} ${top}`)
    }
  }
  const now = Date.now() / 1000
  await utimes(place('to', 'newer.txt'), now, now - day)
  await utimes(place('.', 'older.txt'), now, now - day)
  await utimes(place('to', 'same.txt'), now, now - day)
  await writeFile(place('.', 'free.txt'), 'free')
  await app.openFolder(corner.path)
  await app.row('trip').click()
  await page.keyboard.press('Control+c')
  await enter(app, 'to')
  await page.keyboard.press('Control+v')
  await expect(page.getByRole('dialog', { name: '7 items already exist' })).toBeVisible()
  const choice = (name: string) => app.dialog.getByLabel(`Action for ${name}`, { exact: true })
  await expect(choice('trip')).toHaveValue('replace')
  await expect(choice('trip').locator('option:checked')).toHaveText('Merge')
  await expect(choice('trip/day/both.txt')).toHaveValue('keepBoth')
  await choice('trip').selectOption('Keep both')
  await expect(choice('trip/day/both.txt')).toHaveCount(0)
  await choice('trip').selectOption('Merge')
  await app.dialog.getByLabel('Apply to all 6 items').selectOption('Replace if newer')
  await choice('trip/day/both.txt').selectOption('Keep both')
  await choice('trip/day/replace.txt').selectOption('Replace')
  await choice('trip/day/same.txt').selectOption('Skip if identical')
  await choice('trip/day/skip.txt').selectOption('Skip')
  expect((await readdir(place('to', '.'))).length).toBe(6)
  await app.button('Continue').click()
  await expect
    .poll(async () => (await readdir(place('to', '.'))).sort())
    .toEqual(['both(1).txt', 'both.txt', 'free.txt', 'newer.txt', 'older.txt', 'replace.txt', 'same.txt', 'skip.txt'])
  const content = (name: string) => readFile(place('to', name), 'utf8')
  await expect.poll(() => content('replace.txt')).toBe('replace .')
  await expect.poll(() => content('newer.txt')).toBe('newer .')
  expect(await content('both(1).txt')).toBe('both .')
  expect([await content('both.txt'), await content('older.txt'), await content('skip.txt')]).toEqual([
    'both to',
    'older to',
    'skip to',
  ])
  expect((await stat(place('to', 'same.txt'))).mtimeMs / 1000).toBeCloseTo(now - day, 0)
})

test('closing the conflict dialog changes nothing, and the items stay cut', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'to'))
  await writeFile(join(corner.disk, 'a.txt'), 'new')
  await writeFile(join(corner.disk, 'to/a.txt'), 'old')
  await app.openFolder(corner.path)
  await app.row('a.txt').click()
  await page.keyboard.press('Control+x')
  await enter(app, 'to')
  await page.keyboard.press('Control+v')
  await expect(app.dialog).toContainText('1 item already exists')
  await page.keyboard.press('Escape')
  await expect(app.dialog).toHaveCount(0)
  await expect.poll(() => readFile(join(corner.disk, 'a.txt'), 'utf8')).toBe('new')
  await expect.poll(() => readFile(join(corner.disk, 'to/a.txt'), 'utf8')).toBe('old')
  const bar = page.getByRole('region', { name: 'Paste' })
  await bar.getByRole('button', { name: 'Paste' }).click()
  await app.dialog.getByLabel('Action for a.txt').selectOption('Replace')
  await app.button('Continue').click()
  await expect.poll(() => readFile(join(corner.disk, 'to/a.txt'), 'utf8')).toBe('new')
  await expect(bar).toHaveCount(0)
})

test('a copy pasted next to its original gets a number, and can be undone', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'a.txt'), 'a')
  await mkdir(join(corner.disk, 'f.d'))
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+c')
  await page.keyboard.press('Control+v')
  await expect(app.row('a(1).txt')).toBeVisible()
  await expect(app.row('f(1).d')).toBeVisible()
  await page.keyboard.press('Control+v')
  await expect(app.row('a(2).txt')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(app.row('a(2).txt')).toHaveCount(0)
  await expect.poll(async () => (await readdir(corner.disk)).sort()).toEqual(['a(1).txt', 'a.txt', 'f(1).d', 'f.d'])
})

test('items that could not be moved are listed with the reason and can be retried', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'to'))
  for (const name of ['gone.txt', 'here.txt']) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  await app.row('gone.txt').click()
  await app.row('here.txt').click({ modifiers: ['Control'] })
  await page.keyboard.press('Control+x')
  await enter(app, 'to')
  await rm(join(corner.disk, 'gone.txt'))
  await page.keyboard.press('Control+v')
  const list = page.getByRole('alertdialog', { name: '1 item could not be moved:' })
  await expect(list).toContainText('gone.txt')
  await expect(list).toContainText('It no longer exists.')
  await expect.poll(() => readdir(join(corner.disk, 'to'))).toEqual(['here.txt'])
  await writeFile(join(corner.disk, 'gone.txt'), 'there again')
  await list.getByRole('button', { name: 'Retry' }).click()
  await expect(app.row('gone.txt')).toBeVisible()
  await expect.poll(() => readdir(corner.disk)).toEqual(['to'])
})

test('cut items are marked, and a bar in every folder pastes them or cancels', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'into'))
  for (const name of ['kept.txt', 'moved.txt']) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  const bar = page.getByRole('region', { name: 'Paste' })
  await app.row('kept.txt').click()
  await page.keyboard.press('Control+x')
  await expect(app.row('kept.txt').getByRole('img', { name: 'Cut' })).toBeVisible()
  await expect(bar.getByRole('button', { name: 'Paste' })).toBeDisabled()
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await expect(app.row('kept.txt').getByRole('img', { name: 'Cut' })).toHaveCount(0)

  await app.row('moved.txt').click()
  await page.keyboard.press('Control+x')
  await enter(app, 'into')
  await expect(bar).toContainText('“moved.txt” cut')
  await bar.getByRole('button', { name: 'Paste' }).click()
  await expect(app.row('moved.txt')).toBeVisible()
  await expect(bar).toHaveCount(0)
  expect((await readdir(corner.disk)).sort()).toEqual(['into', 'kept.txt'])
})

test.describe('by touch on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('an item is moved with the tree of folders', async ({ app, page, corner }) => {
    await mkdir(join(corner.disk, 'to'))
    await writeFile(join(corner.disk, 'a.txt'), 'a')
    await app.openFolder(corner.path)
    await longPress(app.row('a.txt'))
    await page.getByRole('button', { name: 'Move to…' }).tap()
    await folder(app, 'to').tap()
    await app.dialog.getByRole('button', { name: 'Move', exact: true }).tap()
    await expect(page.getByText('Moved “a.txt” to “to”')).toBeVisible()
    await expect(app.row('a.txt')).toHaveCount(0)
    await expect.poll(() => readdir(join(corner.disk, 'to'))).toEqual(['a.txt'])
  })

  test('an item is moved by cutting it and pasting it in another folder', async ({ app, page, corner }) => {
    await mkdir(join(corner.disk, 'by bar'))
    await writeFile(join(corner.disk, 'b.txt'), 'b')
    await app.openFolder(corner.path)
    await app.row('b.txt').getByRole('button', { name: 'Actions for b.txt' }).tap()
    await page.getByRole('menuitem', { name: 'Cut' }).tap()
    await app.row('by bar').getByRole('link').tap()
    await page.getByRole('region', { name: 'Paste' }).getByRole('button', { name: 'Paste' }).tap()
    await expect(app.row('b.txt')).toBeVisible()
    await expect.poll(() => readdir(join(corner.disk, 'by bar'))).toEqual(['b.txt'])
  })
})

test('a destination is typed or pasted as a path, which completes with folders and says what is wrong with it', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'deep/down'), { recursive: true })
  for (const name of ['one.txt', 'two.txt']) await writeFile(join(corner.disk, name), name)
  await app.openFolder(corner.path)
  await app.row('one.txt').click()
  await app.row('two.txt').click({ modifiers: ['Control'] })
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Move to…' }).press('Enter')
  await expect(app.dialog).toContainText('They are already here.')
  const path = app.dialog.getByRole('combobox', { name: 'Path' })
  const move = app.dialog.getByRole('button', { name: 'Move' })
  await expect(path).toHaveValue(`${corner.path}/`)
  await path.fill(`${corner.path}/nowhere`)
  await expect(app.dialog).toContainText(`There is no folder ${corner.path}/nowhere.`)
  await expect(move).toBeDisabled()
  await path.fill(`${corner.path}/one.txt`)
  await expect(app.dialog).toContainText(`${corner.path}/one.txt is a file, not a folder.`)
  await expectAccessibleInBoth(page)
  await path.fill(`${corner.path}/deep/`)
  const offered = app.dialog.locator(`datalist option[value="${corner.path}/deep/down/"]`)
  await expect(offered).toHaveCount(1)
  await path.fill(`${corner.path}/deep/down/`)
  await expect(folder(app, 'down')).toHaveAttribute('aria-selected', 'true')
  await path.press('Enter')
  await expect(folder(app, 'down')).toBeFocused()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(path).toHaveValue(`${corner.path}/deep/`)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Moved 2 items to “deep”')).toBeVisible()
  await expect
    .poll(async () => (await readdir(join(corner.disk, 'deep'))).sort())
    .toEqual(['down', 'one.txt', 'two.txt'])
})
