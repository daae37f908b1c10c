import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from './app.ts'
import { type Corner, expect, test } from './fixtures.ts'
import { area, draftIsKept, expectText, startEditing, typeInstead } from './typing.ts'

async function openText(app: App, corner: Corner, content: string | Buffer, name = 'note.txt'): Promise<string> {
  const file = join(corner.disk, name)
  await writeFile(file, content)
  await app.openFolder(corner.path)
  await app.row(name).dblclick()
  await startEditing(app.page)
  return file
}

test('a text is changed and saved with the mouse', async ({ app, page, corner }) => {
  const file = await openText(app, corner, 'one\ntwo\n')
  await expectText(page, 'one\ntwo\n')
  await typeInstead(page, 'one\nthree\n')
  await expect(page.getByText('Unsaved changes')).toBeAttached()
  await app.button('Save').click()
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  await expect.poll(() => readFile(file, 'utf8')).toBe('one\nthree\n')
  await app.button('Back to the folder').click()
  await app.isAt(`/files${corner.path}/`)
  await expect(app.row('note.txt')).toBeFocused()
})

test('a text is changed and saved with the keyboard alone', async ({ app, page, corner }) => {
  const file = join(corner.disk, 'note.txt')
  await writeFile(file, 'world')
  await app.openFolder(corner.path)
  await app.row('note.txt').focus()
  await page.keyboard.press('Enter')
  await startEditing(page)
  await expect(area(page)).toBeFocused()
  await page.keyboard.type('Hello\n')
  await expect(page.getByText('Line 2, column 1')).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect.poll(() => readFile(file, 'utf8')).toBe('Hello\nworld')
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(app.row('note.txt')).toBeFocused()
})

test('foreign line endings and a byte order mark are preserved', async ({ app, page, corner }) => {
  const file = await openText(app, corner, '\uFEFFa\r\nb\r\n')
  await expect(page.getByText('CRLF')).toBeVisible()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('c\n')
  await app.button('Save').click()
  await expect.poll(() => readFile(file, 'utf8')).toBe('\uFEFFa\r\nb\r\nc\r\n')
})

test('leaving asks what to do with the changes', async ({ app, page, corner }) => {
  const file = await openText(app, corner, 'old')
  await typeInstead(page, 'new')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(app.dialog.getByRole('heading', { name: 'Save your changes to note.txt?' })).toBeVisible()
  await app.dialog.getByRole('button', { name: 'Cancel' }).click()
  await expectText(page, 'new')

  await page.goBack()
  await app.dialog.getByRole('button', { name: 'Discard' }).click()
  await app.isAt(`/files${corner.path}/`)
  await expect.poll(() => readFile(file, 'utf8')).toBe('old')

  await app.row('note.txt').dblclick()
  await startEditing(page)
  await expectText(page, 'old')
  await typeInstead(page, 'newer')
  await app.button('Back to the folder').click()
  await expect(app.dialog.getByRole('button', { name: 'Save' })).toBeFocused()
  await page.keyboard.press('Enter')
  await app.isAt(`/files${corner.path}/`)
  await expect.poll(() => readFile(file, 'utf8')).toBe('newer')
})

test('a failed save keeps the text and gives the reason', async ({ app, page, corner }) => {
  const file = await openText(app, corner, 'old')
  await typeInstead(page, 'new')
  await app.goOffline()
  await app.button('Save').click()
  await expect(page.getByText("note.txt couldn't be saved: The server is not reachable.")).toBeVisible()
  await expectText(page, 'new')
  await page.context().setOffline(false)
  await app.button('Save').click()
  await expect.poll(() => readFile(file, 'utf8')).toBe('new')
})

test('a text saved by another user in the meantime is not overwritten without a question', async ({
  app,
  page,
  corner,
}) => {
  const file = await openText(app, corner, 'mine')
  await typeInstead(page, 'mine, too')
  await writeFile(file, 'theirs')
  await page.keyboard.press('Control+s')
  await expect(app.dialog.getByRole('heading', { name: 'note.txt has changed' })).toBeVisible()
  await app.dialog.getByRole('button', { name: 'Keep editing' }).click()
  await expect.poll(() => readFile(file, 'utf8')).toBe('theirs')

  await page.keyboard.press('Control+s')
  await expect(app.dialog.getByRole('textbox', { name: 'Their version' })).toHaveText('theirs')
  await expect(app.dialog.getByRole('textbox', { name: 'Your version' })).toHaveText('mine, too')
  await app.dialog.getByRole('button', { name: 'Overwrite' }).click()
  await expect.poll(() => readFile(file, 'utf8')).toBe('mine, too')

  await writeFile(file, 'theirs again')
  await typeInstead(page, 'lost')
  await page.keyboard.press('Control+s')
  await app.dialog.getByRole('button', { name: 'Load their version' }).click()
  await expectText(page, 'theirs again')
})

test('LOCK-05 a text that is still being saved when another is opened goes into its own file', async ({
  app,
  page,
  corner,
}) => {
  const other = join(corner.disk, 'other.txt')
  await writeFile(other, 'other')
  const file = await openText(app, corner, 'first')
  await typeInstead(page, 'first, changed')
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>()
  await page.route('**/note.txt', async route => {
    if (route.request().method() === 'PUT') await gate
    await route.continue()
  })
  const sent = page.waitForRequest(request => request.method() === 'PUT')
  await page.keyboard.press('Control+s')
  await sent
  await app.button('Back to the folder').click()
  await app.dialog.getByRole('button', { name: 'Discard' }).click()
  await app.row('other.txt').dblclick()
  await startEditing(page)
  await expectText(page, 'other')
  await typeInstead(page, 'other, changed')
  letGo()
  await expect.poll(() => readFile(file, 'utf8')).toBe('first, changed')
  await expectText(page, 'other, changed')
  expect(await readFile(other, 'utf8')).toBe('other')
  await page.keyboard.press('Control+s')
  await expect.poll(() => readFile(other, 'utf8')).toBe('other, changed')
  expect(await readFile(file, 'utf8')).toBe('first, changed')
})

test('both of two texts are kept if the user chooses so', async ({ app, page, corner }) => {
  const file = await openText(app, corner, 'first')
  await typeInstead(page, 'mine')
  await writeFile(file, 'theirs')
  await page.keyboard.press('Control+s')
  await app.dialog.getByRole('button', { name: 'Keep both' }).click()
  await app.isAt(`/files${corner.path}/note(1).txt`)
  await expectText(page, 'mine')
  expect(await readFile(file, 'utf8')).toBe('theirs')
  expect(await readFile(join(corner.disk, 'note(1).txt'), 'utf8')).toBe('mine')
})

test('unsaved text is offered after a reload', async ({ app, page, corner }) => {
  const file = await openText(app, corner, 'old')
  await typeInstead(page, 'hours of work')
  await draftIsKept(page)
  page.on('dialog', dialog => void dialog.accept())
  await page.reload()
  await expect(page.getByRole('button', { name: 'Restore' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Their version' })).toHaveText('old')
  await expect(page.getByRole('textbox', { name: 'Your version' })).toHaveText('hours of work')
  await page.keyboard.press('Enter')
  await expectText(page, 'hours of work')
  await page.keyboard.press('Control+s')
  await expect.poll(() => readFile(file, 'utf8')).toBe('hours of work')
  await page.reload()
  await expectText(page, 'hours of work')
  await expect(page.getByRole('button', { name: 'Restore' })).toHaveCount(0)
})

test('text typed when the session ended is offered after the sign-in', async ({ app, page, corner, server }) => {
  await openText(app, corner, 'old')
  await typeInstead(page, 'hours of work')
  // Another call that was refused first would end the session, and there would be nothing left to save.
  await page.route('**/api/resources/**', route =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 401, body: '401 Unauthorized' }) : route.continue(),
  )
  const saved = page.waitForResponse(response => response.request().method() === 'PUT')
  await page.keyboard.press('Control+s')
  expect((await saved).status()).toBe(401)
  await expect(page.getByLabel('Username')).toBeVisible()
  await page.unroute('**/api/resources/**')
  await app.logIn(server.adminPassword)
  await app.isAt(`/files${corner.path}/note.txt`)
  await app.button('Restore').click()
  await expectText(page, 'hours of work')
})

test('a text keeps its encoding, and says when the encoding lacks a character', async ({ app, page, corner }) => {
  const file = await openText(app, corner, Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]))
  await page.keyboard.type('€ ')
  await page.keyboard.press('Control+s')
  await expect.poll(async () => [...(await readFile(file))]).toEqual([0x80, 0x20, 0x63, 0x61, 0x66, 0xe9, 0x0a])

  await page.keyboard.type('Ω')
  await page.keyboard.press('Control+s')
  await expect(page.getByText("Some characters can't be saved as Windows-1252.")).toBeVisible()
  await app.button('Encoding: Windows-1252').click()
  await app.choice('UTF-8 BOM').click()
  await app.button('Save').click()
  await expect.poll(() => readFile(file, 'utf8')).toBe('\uFEFF€ Ωcafé\n')
})

test('a file that is not all text is read-only', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'data.bin'), Buffer.from('a\0b'))
  await app.open(`/files${corner.path}/data.bin`)
  await page.getByRole('link', { name: 'Open as text' }).click()
  await expect(page.getByText('This file contains binary data.')).toBeVisible()
  await expect(area(page)).toHaveAttribute('aria-readonly', 'true')
  await expect(app.button('Save')).toHaveCount(0)
})

test('a text is searched, and matches are replaced', async ({ app, page, corner }) => {
  const file = await openText(app, corner, 'one two one\nOne\n')
  await page.keyboard.press('Control+f')
  await page.keyboard.type('one')
  await expect(page.getByText('– / 3')).toBeVisible()
  await app.button('Match case').click()
  await expect(page.getByText('– / 2')).toBeVisible()
  await page.getByLabel('Replace with').fill('1')
  await app.button('Replace all').click()
  await expectText(page, '1 two 1\nOne\n')
  await page.keyboard.press('Escape')
  await expect(area(page)).toBeFocused()
  await page.keyboard.press('Alt+g')
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Number ')
  await page.keyboard.press('Control+s')
  await expect.poll(() => readFile(file, 'utf8')).toBe('1 two 1\nNumber One\n')
})

test('Tab indents, and leaves the text after Escape', async ({ app, page, corner }) => {
  await openText(app, corner, 'def f():\n    return 1\n', 'a.py')
  await expect(page.getByText('Python')).toBeVisible()
  await page.keyboard.press('Tab')
  await expectText(page, '    def f():\n    return 1\n')
  await page.keyboard.press('Escape')
  await expect(page.getByText('Press Escape, then Tab, to leave the editor')).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(area(page)).not.toBeFocused()
  await expectText(page, '    def f():\n    return 1\n')
})

test('line wrapping can be switched on and off', async ({ app, page, corner }) => {
  await openText(app, corner, 'word '.repeat(500))
  const scroller = page.locator('.cm-scroller')
  const overflows = () => scroller.evaluate(element => element.scrollWidth > element.clientWidth)
  await expect.poll(() => overflows()).toBe(false)
  await app.button('Wrap lines').click()
  await expect.poll(overflows).toBe(true)
  await page.reload()
  await expect(app.button('Wrap lines')).toHaveAttribute('aria-pressed', 'false')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })

  test('a text is changed and saved', async ({ app, page, corner }) => {
    const file = join(corner.disk, 'note.txt')
    await writeFile(file, 'old')
    await app.open(`/files${corner.path}/note.txt`)
    await app.button('Edit').tap()
    await area(page).tap()
    await typeInstead(page, 'new')
    await app.button('Save').tap()
    await expect.poll(() => readFile(file, 'utf8')).toBe('new')
    await app.button('Back to the folder').tap()
    await expect(app.grid).toBeVisible()
  })
})
