import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { manager, newcomer, perm } from '../api/accounts.ts'
import { expectAccessible, expectAccessibleInBoth, expectNoSidewaysScroll } from './axe.ts'
import { becomeOther, type Corner, expect, test } from './fixtures.ts'

/** The status of the search. */
const said = (page: Page, text: string | RegExp) => page.getByRole('search').getByText(text, { exact: true })
const field = (page: Page) => page.getByRole('searchbox', { name: 'Search files' })
const results = (page: Page) => page.getByRole('grid', { name: 'Search results' })
const result = (page: Page, name: string) => results(page).getByRole('row').filter({ hasText: name })

async function fill({ disk }: Corner): Promise<void> {
  await mkdir(join(disk, 'Trips/Roma #1 100%'), { recursive: true })
  await mkdir(join(disk, 'Papers'))
  for (const name of ['Trips/holiday.jpg', 'Trips/Roma #1 100%/Holiday 2.png', 'Papers/holiday plan.pdf', 'other.txt'])
    await writeFile(join(disk, name), 'x')
}

test.beforeEach(({ corner }) => fill(corner))

test('a file is found with the mouse, with the match highlighted in its name, and opened', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  await field(page).click()
  await field(page).fill('  HOLIDAY ')
  await expect(said(page, '3 results')).toBeVisible()
  await expect(result(page, 'holiday plan.pdf').locator('mark')).toHaveText('holiday')
  await expect(result(page, 'holiday plan.pdf')).toContainText(`${corner.name}/Papers`)
  await result(page, 'Holiday 2.png').dblclick()
  await app.isAt(`/files${corner.path}/Trips/Roma #1 100%/Holiday 2.png`)
  await expect(results(page)).toHaveCount(0)
})

test('a folder is found with the keyboard alone; Escape returns to the previous folder', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  await expect(app.row('Papers')).toBeFocused()
  await page.keyboard.press('Control+f')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('roma')
  await expect(said(page, '1 result')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(app.row('Papers')).toBeFocused()
  await expect(results(page)).toHaveCount(0)

  await page.keyboard.press('Control+f')
  await expect(result(page, 'Roma')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(result(page, 'Roma')).toBeFocused()
  await page.keyboard.press('Enter')
  await app.isAt(`/files${corner.path}/Trips/Roma #1 100%/`)
  await expect(app.row('Holiday 2.png')).toBeFocused()
})

test('in the field Ctrl+F is left to the browser, in the results it focuses the field', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+f')
  await expect(field(page)).toBeFocused()
  const taken = (selector: string) =>
    page.evaluate(at => {
      const event = new KeyboardEvent('keydown', {
        key: 'f',
        code: 'KeyF',
        ctrlKey: true,
        bubbles: true,
        cancelable: true,
      })
      document.querySelector(at)?.dispatchEvent(event)
      return event.defaultPrevented
    }, selector)
  expect(await taken('input[type=search]')).toBe(false)
  await page.keyboard.type('holiday')
  await expect(result(page, 'holiday.jpg')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Control+f')
  await expect(field(page)).toBeFocused()
})

test('keys pressed in the results do nothing to the folder behind them', async ({ app, page, corner }) => {
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+f')
  await page.keyboard.type('holiday')
  await expect(result(page, 'holiday.jpg')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Delete')
  await page.keyboard.press('F2')
  await expect(app.dialog).toHaveCount(0)
  await expect(result(page, 'holiday.jpg')).toBeVisible()
})

test('the type buttons insert themselves into the query, and a type alone finds every file of it', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  await field(page).click()
  await app.button('Image').click()
  await expect(field(page)).toHaveValue('type:image ')
  await expect(field(page)).toBeFocused()
  await expect(said(page, '2 results')).toBeVisible()
  await page.keyboard.type('2')
  await expect(said(page, '1 result')).toBeVisible()
  await app.button('PDF').click()
  await app.button('Image').click()
  await expect(field(page)).toHaveValue('type:pdf 2')
  await expect(said(page, /Nothing matches “type:pdf 2”/)).toBeVisible()
})

test('Enter shows the results on a page: it is kept by a reload, filtered by its address, and a viewer returns to it', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(corner.path)
  await page.keyboard.press('Control+f')
  await page.keyboard.type('holiday')
  await page.keyboard.press('Enter')
  const address = `/search?q=holiday&in=${encodeURIComponent(corner.path)}`
  await expect.poll(() => new URL(page.url()).pathname.replace(/^.*(?=\/search)/, '')).toBe('/search')
  await expect(page.getByRole('heading', { name: 'Search results' })).toBeVisible()
  await expect(field(page)).toHaveValue('holiday')
  await expect(result(page, 'holiday.jpg')).toBeVisible()
  await expect(page).toHaveTitle(/^holiday – /)
  await expectAccessibleInBoth(page)

  await page.getByRole('button', { name: 'PDF', exact: true }).click()
  await expect(result(page, 'holiday.jpg')).toHaveCount(0)
  await expect(result(page, 'holiday plan.pdf')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'PDF', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expect(result(page, 'holiday plan.pdf')).toBeVisible()
  await app.open(address)
  await expect(result(page, 'holiday.jpg')).toBeVisible()
  await results(page).getByRole('link', { name: 'holiday.jpg' }).dblclick()
  await app.isAt(`/files${corner.path}/Trips/holiday.jpg`)
  await expect(page.getByRole('toolbar', { name: 'Actions' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(result(page, 'holiday.jpg')).toBeFocused()
  await expect(page.getByRole('heading', { name: 'Search results' })).toBeVisible()
  await page.getByRole('button', { name: 'Only this folder' }).click()
  await expect(page).toHaveURL(/everywhere/)
})

test('an empty query sends no request', async ({ app, page, corner }) => {
  const asked: string[] = []
  page.on('request', request => request.url().includes('/api/search/') && asked.push(request.url()))
  await app.openFolder(corner.path)
  await field(page).click()
  await page.keyboard.type('   ')
  await page.keyboard.press('Enter')
  await expect(said(page, /^Type part of a name/)).toBeVisible()
  await page.keyboard.type('other')
  await expect(result(page, 'other.txt')).toBeVisible()
  expect(asked.filter(url => !url.includes('query=o'))).toEqual([])
})

test('a search without results in this folder continues everywhere on demand, and results are shown in their folder', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(`${corner.path}/Papers`)
  const unique = `${corner.name} other`.split(' ')[0] ?? ''
  await writeFile(join(corner.disk, `${unique}.txt`), 'x')
  await page.keyboard.press('Control+f')
  await page.keyboard.type(`${unique}.txt`)
  await expect(said(page, `Nothing matches “${unique}.txt” in Papers.`)).toBeVisible()
  await app.button('Search everywhere').click()
  await expect(result(page, `${unique}.txt`)).toBeVisible()
  await expect(app.button('Only this folder')).toHaveAttribute('aria-pressed', 'false')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(app.button(`Show ${unique}.txt in its folder`)).toBeFocused()
  await page.keyboard.press('Enter')
  await app.isAt(`/files${corner.path}/`)
  await expect(app.row(`${unique}.txt`)).toBeFocused()
  await expect.poll(() => app.selected()).toEqual([`${unique}.txt`])
})

test('results load fifty at a time while the user scrolls', async ({ app, page, corner }) => {
  await Promise.all(Array.from({ length: 130 }, (_, at) => writeFile(join(corner.disk, `many ${at}.txt`), '')))
  await app.openFolder(corner.path)
  await field(page).click()
  await field(page).fill('many')
  await expect(said(page, '130 results')).toBeVisible()
  await expect(results(page)).toHaveAttribute('aria-rowcount', '50')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('End')
  await expect(results(page)).toHaveAttribute('aria-rowcount', '100')
  await page.keyboard.press('End')
  await expect(results(page)).toHaveAttribute('aria-rowcount', '130')
})

test('a text is found in a file, with its line, and opened there', async ({ app, page, corner }) => {
  const lines = Array.from({ length: 400 }, (_, line) => `line ${line + 1}`)
  await writeFile(join(corner.disk, 'Papers/minutes.txt'), lines.with(299, 'We bought a Perlescent lamp').join('\n'))
  await app.openFolder(corner.path)
  await field(page).click()
  await app.button('Text in files').click()
  await field(page).fill('perlescent lamp')
  // Files that are not indexed yet are found as soon as they are.
  await expect(said(page, '1 result')).toBeVisible({ timeout: 60_000 })
  await expect(result(page, 'minutes.txt')).toContainText('We bought a Perlescent lamp')
  await expect(result(page, 'minutes.txt').locator('mark')).toHaveText(['Perlescent', 'lamp'])
  await expectAccessibleInBoth(page)
  await result(page, 'minutes.txt').dblclick()
  await expect(page.getByText('We bought a Perlescent lamp')).toBeInViewport()
  await expect(page.getByText('Line 300, column 1')).toBeVisible()
})

test('content search is offered only where the server supports it', async ({ app, page, corner }) => {
  await page.route(/\/files\//, async route => {
    const answer = await route.fetch()
    const body = (await answer.text()).replace('"SearchesContents":true', '"SearchesContents":false')
    await route.fulfill({ response: answer, body })
  })
  await app.openFolder(corner.path)
  await field(page).click()
  await expect(app.button('Only this folder')).toBeVisible()
  await expect(app.button('Text in files')).toHaveCount(0)
})

test('content search is not offered to users without the right to read', async ({ app, page, corner, server }) => {
  const { token } = await newcomer(server, await manager(server), { scope: corner.path, perm: perm('create') })
  await becomeOther(page, token)
  await app.openFolder('/Papers')
  await field(page).click()
  await expect(app.button('Only this folder')).toBeVisible()
  await expect(app.button('Text in files')).toHaveCount(0)
})

test('a long search shows its progress and can be stopped; the results so far stay', async ({ app, page, corner }) => {
  await app.openFolder(corner.path)
  await page.evaluate(answerSlowly)
  await field(page).click()
  await field(page).fill('early')
  await expect(said(page, 'Searching… 1 result so far')).toBeVisible()
  await app.button('Stop').click()
  await expect(said(page, 'Stopped. 1 result so far')).toBeVisible()
  await expect(result(page, 'early.txt')).toBeVisible()
})

/** Delivers the first result of a search, but never its end: a very large folder. */
function answerSlowly(): void {
  const real = window.fetch
  window.fetch = (input, init) => {
    if (!String(input).includes('/api/search')) return real(input, init)
    const body = new ReadableStream({
      start: stream => stream.enqueue(new TextEncoder().encode('{"path":"early.txt","dir":false}\n\n')),
    })
    return Promise.resolve(new Response(body))
  }
}

test('without a connection the search says so, keeps the query, and resumes when it is back', async ({
  app,
  page,
  context,
  corner,
}) => {
  await app.openFolder(corner.path)
  await field(page).click()
  await expect(said(page, /^Type part of a name/)).toBeVisible()
  await app.goOffline()
  await page.keyboard.type('holiday')
  await expect(page.getByRole('alert').filter({ hasText: 'The server is not reachable.' })).toBeVisible()
  await expect(field(page)).toHaveValue('holiday')
  await context.setOffline(false)
  await expect(said(page, '3 results')).toBeVisible()
})

test('a query refused by the server shows the reason', async ({ app, page, corner }) => {
  await app.openFolder(corner.path)
  await field(page).click()
  await field(page).fill('x '.repeat(65))
  await expect(page.getByRole('alert').filter({ hasText: 'Try fewer or shorter words.' })).toBeVisible()
})

test('the search has no axe violations, in light, in dark and on a window of 320 pixels', async ({
  app,
  page,
  corner,
}) => {
  await app.openFolder(`${corner.path}/Trips`)
  await field(page).click()
  await field(page).fill('nothing of this name')
  await expect(said(page, /^Nothing matches/)).toBeVisible()
  await expectAccessibleInBoth(page)
  await field(page).fill('holiday')
  await expect(said(page, '2 results')).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expectAccessibleInBoth(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expect(app.button('Close search')).toBeVisible()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
})

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true })

  test('the search fills the window, finds, and opens with a tap', async ({ app, page, corner }) => {
    await app.openFolder(corner.path)
    await app.button('Search').tap()
    await expect(field(page)).toBeFocused()
    await app.button('Image').tap()
    await expect(said(page, '2 results')).toBeVisible()
    await expect.poll(() => page.getByRole('search').boundingBox()).toMatchObject({ width: 390, height: 780 })
    await app.button('Close search').tap()
    await expect(field(page)).toHaveCount(0)
    await app.button('Search').tap()
    await result(page, 'holiday.jpg').tap()
    await app.isAt(`/files${corner.path}/Trips/holiday.jpg`)
    await expect(field(page)).toHaveCount(0)
  })

  test('a result is shown in its folder', async ({ app, page, corner }) => {
    await app.openFolder(corner.path)
    await app.button('Search').tap()
    await field(page).fill('plan')
    await result(page, 'holiday plan.pdf').getByRole('button').tap()
    await page.getByRole('menuitem', { name: 'Show in folder' }).tap()
    await app.isAt(`/files${corner.path}/Papers/`)
    await expect(app.row('holiday plan.pdf')).toBeFocused()
  })
})
