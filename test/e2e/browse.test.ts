import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { shownName } from '../../shared/bytes.ts'
import { encode } from '../api/client.ts'
import { HOSTILE_NAMES } from '../api/hostile-names.ts'
import { expect, test } from './fixtures.ts'

test('folders are entered by double click and left by back, forward and the breadcrumb', async ({
  app,
  page,
  corner,
}) => {
  await mkdir(join(corner.disk, 'outer/inner'), { recursive: true })
  await writeFile(join(corner.disk, 'outer/inner/note.bin'), Buffer.from([0, 1]))
  await app.openFolder(corner.path)
  await app.row('outer').dblclick()
  await app.isAt(`/files${corner.path}/outer/`)
  await app.row('inner').dblclick()
  await app.isAt(`/files${corner.path}/outer/inner/`)
  await expect(app.row('note.bin')).toBeVisible()

  await page.goBack()
  await expect(app.row('inner')).toBeVisible()
  await page.goForward()
  await expect(app.row('note.bin')).toBeVisible()

  await app.breadcrumb.getByRole('link', { name: corner.name }).click()
  await app.isAt(`/files${corner.path}/`)
  await expect(app.row('outer')).toBeVisible()
  await app.breadcrumb.getByRole('link', { name: 'My files' }).click()
  await app.isAt('/files/')
})

test('the title of the page names the folder or file that is open, also after Back', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'caf\u00e9 \u0645\u0644\u0641'))
  await writeFile(join(corner.disk, 'note.bin'), Buffer.from([0, 1]))
  await app.open('/files/')
  await expect(page).toHaveTitle('My files – Filigree')
  await app.openFolder(corner.path)
  await expect(page).toHaveTitle(`${corner.name} – Filigree`)
  await app.row('note.bin').dblclick()
  await expect(page).toHaveTitle('note.bin – Filigree')
  await page.goBack()
  await expect(page).toHaveTitle(`${corner.name} – Filigree`)
  await app.row('caf\u00e9 \u0645\u0644\u0641').dblclick()
  await expect(page).toHaveTitle('caf\u00e9 \u0645\u0644\u0641 – Filigree')
})

test('going up focuses the folder the user came from', async ({ app, page, corner }) => {
  for (const name of ['a', 'b', 'c']) await mkdir(join(corner.disk, name))
  await app.openFolder(corner.path)
  await app.row('b').dblclick()
  await app.isAt(`/files${corner.path}/b/`)
  await expect(page.getByText('It feels lonely here…')).toBeVisible()
  await page.keyboard.press('Alt+ArrowUp')
  await app.isAt(`/files${corner.path}/`)
  await expect(app.row('b')).toBeFocused()
})

test('the breadcrumb shows at most three segments and keeps the others in a menu', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'one/two/three/four'), { recursive: true })
  await app.openFolder(`${corner.path}/one/two/three/four`)
  const links = app.breadcrumb.getByRole('link')
  await expect(links).toHaveText(['My files', 'three', 'four'])
  await expect(links.last()).toHaveAttribute('aria-current', 'page')
  await app.breadcrumb.getByRole('button', { name: 'Parent folders' }).click()
  await expect(page.getByRole('menuitem')).toHaveText([corner.name, 'one', 'two'])
  await page.getByRole('menuitem', { name: 'one' }).click()
  await app.isAt(`/files${corner.path}/one/`)
})

test('a listing is sorted by each column, both ways', async ({ app, corner }) => {
  const files = [
    ['img10.png', 30, '2026-01-02'],
    ['img2.png', 10, '2026-01-03'],
    ['b.txt', 20, '2026-01-01'],
  ] as const
  for (const [name, size, day] of files) {
    await writeFile(join(corner.disk, name), 'x'.repeat(size))
    await utimes(join(corner.disk, name), new Date(day), new Date(day))
  }
  await app.openFolder(corner.path)
  await expect.poll(() => app.names()).toEqual(['b.txt', 'img2.png', 'img10.png'])

  const header = (name: string) => app.grid.getByRole('columnheader', { name })
  const sortBy = (name: string) => header(name).getByRole('button').click()
  await expect(header('Name')).toHaveAttribute('aria-sort', 'ascending')
  await sortBy('Name')
  await expect(header('Name')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(() => app.names()).toEqual(['img10.png', 'img2.png', 'b.txt'])

  for (const [column, first, then, order] of [
    ['Size', 'ascending', 'descending', ['img2.png', 'b.txt', 'img10.png']],
    ['Last modified', 'descending', 'ascending', ['img2.png', 'img10.png', 'b.txt']],
  ] as const) {
    await sortBy(column)
    await expect(header(column)).toHaveAttribute('aria-sort', first)
    await expect.poll(() => app.names()).toEqual(order)
    await sortBy(column)
    await expect(header(column)).toHaveAttribute('aria-sort', then)
    await expect.poll(() => app.names()).toEqual(order.toReversed())
  }

  await app.button('Sort').click()
  await app.choice('Size, largest first').click()
  await expect.poll(() => app.names()).toEqual(['img10.png', 'b.txt', 'img2.png'])
})

test('an empty folder says so and offers actions', async ({ app, corner }) => {
  await app.openFolder(corner.path)
  await expect(app.page.getByText('It feels lonely here…')).toBeVisible()
  await expect(app.page.getByRole('main').getByRole('button', { name: 'Upload', exact: true }).last()).toBeVisible()
})

/** Those of the names that URLs or headers can corrupt. */
const WORST = HOSTILE_NAMES.filter(name =>
  /%(?:zz|2F|2e)|[#?+\\\n"<]|^ | $|\u0301|\u{1f600}|\u202e|__proto__|語/u.test(name),
)

/** The content of the open file, downloaded from a preview or the editor. */
async function contentOf(page: Page): Promise<string> {
  const button = page.getByRole('button', { name: 'Download', exact: true })
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  const chunks: Buffer[] = []
  for await (const chunk of await download.createReadStream()) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('an unchanged folder is not sent again, a changed one is', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'first.txt'), 'first')
  await app.openFolder(corner.path)
  await expect(app.row('first.txt')).toBeVisible()
  const refreshed = async () => {
    const asked = page.waitForResponse(answer => answer.url().endsWith(`/api/resources${corner.path}/`))
    await app.button('Refresh').click()
    return (await asked).status()
  }
  expect(await refreshed()).toBe(304)
  await expect(app.row('first.txt')).toBeVisible()
  await writeFile(join(corner.disk, 'second.txt'), 'second')
  expect(await refreshed()).toBe(200)
  await expect(app.row('second.txt')).toBeVisible()
  expect(await refreshed()).toBe(304)
})

test('names corrupted by other software are listed, opened by their address, read and downloaded', async ({
  app,
  page,
  corner,
}) => {
  test.slow()
  for (const name of HOSTILE_NAMES) await writeFile(join(corner.disk, name), Buffer.from(`\0${name}`))
  await app.openFolder(corner.path)
  await expect(app.grid).toHaveAttribute('aria-rowcount', String(HOSTILE_NAMES.length + 1))
  const seen = new Set<string>()
  while (seen.size < HOSTILE_NAMES.length) {
    const before = seen.size
    for (const name of await app.names()) seen.add(name)
    await app.grid.hover()
    await page.mouse.wheel(0, 400)
    await expect.poll(async () => (await app.names()).some(name => !seen.has(name)) || seen.size > before).toBe(true)
  }
  expect([...seen].sort()).toEqual(HOSTILE_NAMES.map(shownName).sort())

  // A base path precedes all of them alike.
  const names = test.info().project.name === 'deep base' ? WORST.slice(0, 6) : WORST
  for (const name of names) {
    await app.open(`/files${encode(`${corner.path}/${name}`)}`)
    await expect(page.getByRole('heading', { level: 1 }).last()).toHaveText(shownName(name), { useInnerText: false })
    expect(await contentOf(page)).toBe(`\0${name}`)
  }
})

test('folders with such names are entered and left by their address', async ({ app, page, corner }) => {
  const names = [
    '100% #1?',
    'a%2Fb',
    'a+b c',
    'back\\slash',
    ' leading and trailing ',
    '[x]{y}',
    '\u00e9',
    'e\u0301',
    '😀',
  ]
  for (const name of names) {
    await mkdir(join(corner.disk, name))
    await writeFile(join(corner.disk, name, 'inside'), '')
  }
  await app.openFolder(corner.path)
  for (const name of names) {
    await app.row(name).dblclick()
    await expect(app.row('inside')).toBeVisible()
    await app.isAt(`/files${corner.path}/${name}/`)
    await page.reload()
    await expect(app.row('inside')).toBeVisible()
    await page.goBack()
    await expect(app.row(name)).toBeVisible()
  }
})

test('a missing path gets a page that says so and links to the start folder', async ({ app, page, corner }) => {
  await app.open(`/files${corner.path}/missing/`)
  await expect(page.getByRole('heading', { name: "This location can't be reached." })).toBeVisible()
  await app.open(`/files${corner.path}/missing.txt`)
  await expect(page.getByRole('heading', { name: "This location can't be reached." })).toBeVisible()
  await page.getByRole('link', { name: 'Go home' }).click()
  await app.isAt('/files/')
})

test('a folder that is gone keeps none of its rows, and leads to the one above', async ({ app, page, corner }) => {
  await mkdir(join(corner.disk, 'trip/day'), { recursive: true })
  await app.openFolder(`${corner.path}/trip`)
  await expect(app.row('day')).toBeVisible()
  await rm(join(corner.disk, 'trip'), { recursive: true })
  await expect(page.getByText("This location can't be reached.")).toBeVisible()
  await expect(app.row('day')).toHaveCount(0)
  await app.button('Go up').click()
  await app.isAt(`/files${corner.path}/`)
})

test.describe('error pages', () => {
  for (const [status, text] of [
    [403, "You don't have permissions to access this."],
    [404, "This location can't be reached."],
    [500, 'Something really went wrong.'],
  ] as const) {
    test(`/${status} says: ${text}`, async ({ app, page }) => {
      await app.open(`/${status}`)
      await expect(page.getByRole('heading', { level: 1, name: text })).toBeVisible()
      await expect(page).toHaveTitle('Error – Filigree')
    })
  }

  test('an unknown address is looked up among the files', async ({ app, page }) => {
    await app.open('/no/such/thing/')
    await app.isAt('/files/no/such/thing/')
    await expect(page.getByRole('heading', { name: "This location can't be reached." })).toBeVisible()
  })

  test('without a connection the folder says so, and loads when it is back', async ({ app, page, corner, context }) => {
    await mkdir(join(corner.disk, 'one'))
    await mkdir(join(corner.disk, 'two'))
    await app.openFolder(corner.path)
    await app.goOffline()
    await expect(page.getByText('Offline – showing what was loaded')).toBeVisible()
    await app.row('one').dblclick()
    await expect(page.getByText('The server is not reachable.')).toBeVisible()
    await expect(app.button('Retry')).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('It feels lonely here…')).toBeVisible()
  })
})
