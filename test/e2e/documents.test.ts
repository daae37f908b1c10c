import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expectAccessibleInBoth, expectNoSidewaysScroll } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { area, draftIsKept, typeInstead } from './typing.ts'

/** Ways to make a page run, load or send something. */
const HOSTILE = `
<script>ran = 1</script><img src=x onerror="ran = 1"><svg onload="ran = 1"><animate onbegin="ran = 1"></svg>
<iframe srcdoc="<script>parent.ran = 1</script>"></iframe><base href="https://evil.example/">
<form action="https://evil.example"><button id="location" name="location">go</button></form>
<meta http-equiv=refresh content="0;url=https://evil.example"><style>* { color: red }</style>
<div style="background: url(https://evil.example/a)" class=x id=root onclick="ran = 1">x</div>
<math><mtext><table><mglyph><style><img src=x onerror="ran = 1"></style></mglyph></table></mtext></math>
<object data=x></object><embed src=x><video src=x></video><link rel=stylesheet href=https://evil.example/a.css>

[a](javascript:ran=1) [b](JaVaScRiPt:ran=1) [c](data:text/html,x) ![d](https://evil.example/pixel.png)
<picture><source srcset="https://evil.example/a"><img src="//evil.example/b"></picture>
`

test('Markdown is rendered beside its text, follows what is typed, and its links lead on', async ({
  app,
  page,
  corner,
}) => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"/>'
  await writeFile(join(corner.disk, 'a b.svg'), drawing)
  await writeFile(join(corner.disk, 'other.txt'), 'another text')
  const text = '# First\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n![drawing](a%20b.svg) [other](other.txt)\n'
  await writeFile(join(corner.disk, 'note.md'), text)
  await app.open(`/files${corner.path}/note.md`)
  await expect(page.getByRole('heading', { name: 'First', level: 2 })).toBeVisible()
  const picture = page.getByRole('img', { name: 'drawing' })
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(90)
  await expectAccessibleInBoth(page)
  await area(page).focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('# Before\n\n')
  await expect(page.getByRole('heading', { name: 'Before' })).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  await page.getByRole('link', { name: 'other' }).click()
  await app.isAt(`/files${corner.path}/other.txt`)
  await expect(area(page)).toHaveText('another text')
})

test('HTML in Markdown can do nothing', async ({ app, page, corner }) => {
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await writeFile(join(corner.disk, 'note.md'), `${HOSTILE}\n\nThe end\n`)
  await app.open(`/files${corner.path}/note.md`)
  const rendered = page.getByRole('region', { name: 'Rendered' })
  await expect(rendered.getByText('The end')).toBeVisible()
  const left = await rendered.locator('article').evaluate(article => {
    const forbidden =
      'script, style, link, meta, base, form, button, iframe, object, embed, svg, math, video, [id], [name], [style], [class], [srcset]'
    const handlers = [...article.querySelectorAll('*')].filter(element =>
      element.getAttributeNames().some(name => name.startsWith('on')),
    )
    const addresses = [...article.querySelectorAll('[src], [href]')].map(
      element => element.getAttribute('src') ?? element.getAttribute('href'),
    )
    return { elements: [...article.querySelectorAll(forbidden)].length + handlers.length, addresses }
  })
  expect(left.elements).toBe(0)
  expect(left.addresses.filter(address => !/^(?:\/|https:\/\/evil\.example\/)/.test(address ?? ''))).toEqual([])
  expect(await page.evaluate('typeof ran')).toBe('undefined')
  expect(asked.filter(url => url.includes('evil.example'))).toEqual([])
})

test('a table is gone through by keys, to its last cell', async ({ app, page, corner }) => {
  const rows = Array.from({ length: 30_000 }, (_, row) => `"Name, ${row}";${row};مدينة`)
  await writeFile(join(corner.disk, 'a.csv'), `Name;Number;City\n${rows.join('\n')}\n`)
  await app.openFolder(corner.path)
  await app.row('a.csv').dblclick()
  const grid = page.getByRole('grid', { name: 'a.csv' })
  await expect(grid.getByRole('gridcell', { name: 'Name, 0', exact: true })).toBeVisible()
  await grid.focus()
  await page.keyboard.press('Control+End')
  await expect(grid.getByRole('gridcell', { name: 'Name, 29999', exact: true })).toBeVisible()
  await expect(page.getByText('C30001')).toBeVisible()
  await page.keyboard.press('Home')
  await expect(page.getByText('A30001')).toBeVisible()
  expect(await page.locator('*').count()).toBeLessThan(1200)
  await expectAccessibleInBoth(page)
  await page.getByRole('link', { name: 'Open as text' }).click()
  await expect(area(page)).toBeVisible()
  await app.button('Back to the folder').click()
  await app.isAt(`/files${corner.path}/`)
})

test('any place of a very large file is seen byte by byte', async ({ app, page, corner }) => {
  const size = 200 * 1024 ** 3
  const file = await open(join(corner.disk, 'disk.img'), 'w')
  await file.truncate(size)
  await file.write('The end', size - 7)
  await file.close()
  await app.open(`/files${corner.path}/disk.img`)
  await page.getByRole('link', { name: 'View as hex' }).click()
  await expect(page.getByRole('row', { name: /^0000000000 00 00/ })).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.getByLabel('Offset').fill((size - 7).toString(16))
  await page.keyboard.press('Enter')
  await expect(page.getByText('·The end')).toBeVisible()
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
})

test('the difference of two texts and the offer of a draft have no barrier that axe knows', async ({
  app,
  page,
  corner,
}) => {
  await writeFile(join(corner.disk, 'a.js'), 'const a = "one"\n')
  await app.open(`/files${corner.path}/a.js`)
  await expect(area(page)).toBeVisible()
  await typeInstead(page, 'const a = "two" // 2')
  await writeFile(join(corner.disk, 'a.js'), 'let a = "three"\n')
  await page.keyboard.press('Control+s')
  await expect(app.dialog.getByRole('textbox', { name: 'Their version' })).toBeVisible()
  await draftIsKept(page)
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Escape')
  page.on('dialog', dialog => void dialog.accept())
  await page.reload()
  await expect(page.getByText('The file has been saved by somebody else since.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Your version' })).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
})
