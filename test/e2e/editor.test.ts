import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { App } from './app.ts'
import { type Corner, expect, test } from './fixtures.ts'

const area = (page: Page) => page.getByRole('textbox', { name: /^Text of / })

async function openText(app: App, corner: Corner, content: string | Buffer, name = 'note.txt'): Promise<string> {
  const file = join(corner.disk, name)
  await writeFile(file, content)
  await app.openFolder(corner.path)
  await app.row(name).dblclick()
  await expect(area(app.page)).toBeVisible()
  return file
}

const draftIsKept = (page: Page) =>
  expect
    .poll(
      () =>
        page.evaluate(
          () =>
            new Promise<number>(resolve => {
              const request = indexedDB.open('filigree', 1)
              request.onupgradeneeded = () => request.result.createObjectStore('drafts')
              request.onsuccess = () => {
                const count = request.result.transaction('drafts').objectStore('drafts').count()
                count.onsuccess = () => {
                  request.result.close()
                  resolve(count.result)
                }
              }
            }),
        ),
      { timeout: 10_000 },
    )
    .toBe(1)

test('a text is changed and saved by mouse', async ({ app, page, corner }) => {
  const file = await openText(app, corner, 'one\ntwo\n')
  await expect(area(page)).toHaveValue('one\ntwo\n')
  await area(page).fill('one\nthree\n')
  await expect(page.getByText('Unsaved changes')).toBeAttached()
  await app.button('Save').click()
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  await expect.poll(() => readFile(file, 'utf8')).toBe('one\nthree\n')
  await app.button('Back to the folder').click()
  await app.isAt(`/files${corner.path}/`)
  await expect(app.row('note.txt')).toBeFocused()
})

test('a text is changed and saved by keyboard alone', async ({ app, page, corner }) => {
  const file = join(corner.disk, 'note.txt')
  await writeFile(file, 'world')
  await app.openFolder(corner.path)
  await app.row('note.txt').focus()
  await page.keyboard.press('Enter')
  await expect(area(page)).toBeFocused()
  await page.keyboard.type('Hello\n')
  await expect(page.getByText('Line 2, column 1')).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect.poll(() => readFile(file, 'utf8')).toBe('Hello\nworld')
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(app.row('note.txt')).toBeFocused()
})

test('line ends of the other kind and a byte order mark stay what they are', async ({ app, page, corner }) => {
  const file = await openText(app, corner, '\uFEFFa\r\nb\r\n')
  await expect(page.getByText('CRLF')).toBeVisible()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('c\n')
  await app.button('Save').click()
  await expect.poll(() => readFile(file, 'utf8')).toBe('\uFEFFa\r\nb\r\nc\r\n')
})

test('leaving asks what becomes of the changes', async ({ app, page, corner }) => {
  const file = await openText(app, corner, 'old')
  await area(page).fill('new')
  await page.keyboard.press('Escape')
  await expect(app.dialog.getByRole('heading', { name: 'Save your changes to note.txt?' })).toBeVisible()
  await app.dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(area(page)).toHaveValue('new')

  await page.goBack()
  await app.dialog.getByRole('button', { name: 'Discard' }).click()
  await app.isAt(`/files${corner.path}/`)
  await expect.poll(() => readFile(file, 'utf8')).toBe('old')

  await app.row('note.txt').dblclick()
  await expect(area(page)).toHaveValue('old')
  await area(page).fill('newer')
  await app.button('Back to the folder').click()
  await expect(app.dialog.getByRole('button', { name: 'Save' })).toBeFocused()
  await page.keyboard.press('Enter')
  await app.isAt(`/files${corner.path}/`)
  await expect.poll(() => readFile(file, 'utf8')).toBe('newer')
})

test('a failed save keeps the text and says why', async ({ app, page, corner }) => {
  const file = await openText(app, corner, 'old')
  await area(page).fill('new')
  await page.context().setOffline(true)
  await app.button('Save').click()
  await expect(page.getByText("note.txt couldn't be saved: The server is not reachable.")).toBeVisible()
  await expect(area(page)).toHaveValue('new')
  await page.context().setOffline(false)
  await app.button('Save').click()
  await expect.poll(() => readFile(file, 'utf8')).toBe('new')
})

test('a text that somebody else has saved meanwhile is not overwritten unasked', async ({ app, page, corner }) => {
  const file = await openText(app, corner, 'mine')
  await area(page).fill('mine, too')
  await writeFile(file, 'theirs')
  await page.keyboard.press('Control+s')
  await expect(app.dialog.getByRole('heading', { name: 'note.txt has changed meanwhile' })).toBeVisible()
  await app.dialog.getByRole('button', { name: 'Keep editing' }).click()
  await expect.poll(() => readFile(file, 'utf8')).toBe('theirs')

  await page.keyboard.press('Control+s')
  await app.dialog.getByRole('button', { name: 'Overwrite' }).click()
  await expect.poll(() => readFile(file, 'utf8')).toBe('mine, too')

  await writeFile(file, 'theirs again')
  await area(page).fill('lost')
  await page.keyboard.press('Control+s')
  await app.dialog.getByRole('button', { name: 'Load their version' }).click()
  await expect(area(page)).toHaveValue('theirs again')
})

test('text that was not saved is offered after a reload', async ({ app, page, corner }) => {
  const file = await openText(app, corner, 'old')
  await area(page).fill('hours of work')
  await draftIsKept(page)
  page.on('dialog', dialog => void dialog.accept())
  await page.reload()
  await expect(page.getByRole('button', { name: 'Restore' })).toBeFocused()
  await expect(area(page)).toHaveValue('old')
  await page.keyboard.press('Enter')
  await expect(area(page)).toHaveValue('hours of work')
  await page.keyboard.press('Control+s')
  await expect.poll(() => readFile(file, 'utf8')).toBe('hours of work')
  await page.reload()
  await expect(area(page)).toHaveValue('hours of work')
  await expect(page.getByRole('button', { name: 'Restore' })).toHaveCount(0)
})

test('text that was typed when the session ended is offered after the login', async ({ app, page, corner, server }) => {
  await openText(app, corner, 'old')
  await area(page).fill('hours of work')
  await page.route('**/api/resources/**', route => route.fulfill({ status: 401, body: '401 Unauthorized' }))
  await page.keyboard.press('Control+s')
  await expect(page.getByLabel('Username')).toBeVisible()
  await page.unroute('**/api/resources/**')
  await app.logIn(server.adminPassword)
  await app.isAt(`/files${corner.path}/note.txt`)
  await app.button('Restore').click()
  await expect(area(page)).toHaveValue('hours of work')
})

test('a text that is not in UTF-8 can be read only', async ({ app, page, corner }) => {
  await openText(app, corner, Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]))
  await expect(page.getByText('This text is not in UTF-8.')).toBeVisible()
  await expect(area(page)).toHaveAttribute('readonly')
  await expect(app.button('Save')).toHaveCount(0)
})

test('a large text can be read only', async ({ app, page, corner }) => {
  await openText(app, corner, `${'a line of a long text '.repeat(4)}\n`.repeat(15_000))
  await expect(page.getByText('This file is too large to be changed here')).toBeVisible()
  await expect(area(page)).toHaveAttribute('readonly')
})

test('long lines are wrapped or not, as one likes', async ({ app, page, corner }) => {
  await openText(app, corner, 'word '.repeat(500))
  const overflows = () => area(page).evaluate(element => element.scrollWidth > element.clientWidth)
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
    await area(page).tap()
    await area(page).fill('new')
    await app.button('Save').tap()
    await expect.poll(() => readFile(file, 'utf8')).toBe('new')
    await app.button('Back to the folder').tap()
    await expect(app.grid).toBeVisible()
  })
})
