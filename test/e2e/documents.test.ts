import { copyFile, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { strToU8, zipSync } from 'fflate'
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

test('Markdown is rendered next to its source, follows what is typed, and its links work', async ({
  app,
  page,
  corner,
}) => {
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="40"/>'
  await writeFile(join(corner.disk, 'a b.svg'), drawing)
  await writeFile(join(corner.disk, 'other.txt'), 'another text')
  const text = '# First\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n![drawing](a%20b.svg) [other](other.txt)\n'
  await writeFile(join(corner.disk, 'note.md'), text)
  await app.open(`/files${corner.path}/note.md?as=text`)
  await expect(page.getByRole('heading', { name: 'First', level: 2 })).toBeVisible()
  const drawnImage = page.getByRole('img', { name: 'drawing' })
  await expect.poll(() => drawnImage.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(90)
  await expectAccessibleInBoth(page)
  await area(page).focus()
  await page.keyboard.press('Control+Home')
  await page.keyboard.type('# Before\n\n')
  await expect(page.getByRole('heading', { name: 'Before' })).toBeVisible()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Unsaved changes')).toHaveCount(0)
  await page.getByRole('link', { name: 'other', exact: true }).click()
  await app.isAt(`/files${corner.path}/other.txt`)
  await expect(area(page)).toHaveText('another text')
})

test('XSS-02 HTML in Markdown can do nothing', async ({ app, page, corner }) => {
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await writeFile(join(corner.disk, 'note.md'), `${HOSTILE}\n\nThe end\n`)
  await app.open(`/files${corner.path}/note.md`)
  const rendered = page.getByRole('region', { name: 'Preview' })
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

/** A book with one chapter. */
function bookOf(body: string, css: string): Uint8Array {
  const xml = (text: string) => strToU8(`<?xml version="1.0"?>${text}`)
  return zipSync({
    'META-INF/container.xml': xml('<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>'),
    'a.opf': xml(
      '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>' +
        '<item id="s" href="s.css" media-type="text/css"/></manifest><spine><itemref idref="a"/></spine></package>',
    ),
    'a.xhtml': xml(`<html><head><script>parent.ran = 1</script></head><body onload="ran = 1">${body}</body></html>`),
    's.css': strToU8(css),
  })
}

/** Rules that fetch, break out of their element, or hide behind others. */
const HOSTILE_CSS = `
@import url(https://evil.example/a.css); @font-face { font-family: x; src: url(https://evil.example/f) }
p::after { content: "</style><script>parent.ran = 1</script>"; } body { background: url(https://evil.example/b) }
@media all { p { cursor: url(https://evil.example/c), auto; color: rgb(1, 2, 3); } }
`

/** An e-mail with an active link, colour and image. */
function letterOf(paragraphs: string): Uint8Array {
  const w = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
  const r = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const relations = (text: string) =>
    strToU8(
      `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${text}</Relationships>`,
    )
  return zipSync({
    '[Content_Types].xml': strToU8('<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'),
    '_rels/.rels': relations(`<Relationship Id="a" Type="${r}/officeDocument" Target="word/document.xml"/>`),
    'word/_rels/document.xml.rels': relations(
      `<Relationship Id="j" Type="${r}/hyperlink" Target="javascript:parent.ran=1" TargetMode="External"/>` +
        `<Relationship Id="e" Type="${r}/hyperlink" Target="https://example.org/" TargetMode="External"/>`,
    ),
    'word/document.xml': strToU8(`<w:document ${w} xmlns:r="${r}"><w:body>${paragraphs}</w:body></w:document>`),
  })
}

/** A page that runs a script when it is opened, and contains a link. */
const PDF_WITH_SCRIPTS = `%PDF-1.4
1 0 obj << /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (parent.ran = 1) >> >> endobj
2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj
3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 4 0 R
  /Annots [<< /Type /Annot /Subtype /Link /Rect [0 0 300 300] /A << /S /URI /URI (javascript:parent.ran=1) >> >>]
  /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >> endobj
4 0 obj << /Length 44 >> stream
BT /F1 20 Tf 20 200 Td (The end) Tj ET
endstream endobj
trailer << /Root 1 0 R >>
%%EOF
`

/** The remaining content in the frame of a hostile document, and the requests to other origins. */
async function leftIn(page: Page, asked: readonly string[]): Promise<unknown> {
  const [frame] = page.frames().filter(each => each.url().startsWith('about:srcdoc'))
  const dangerous = 'script, iframe, object, embed, form, button, svg, video, link, meta[http-equiv], [style], [srcset]'
  return {
    elements: await frame?.locator(dangerous).count(),
    links: await frame?.locator('a[href]').evaluateAll(links => links.map(link => link.getAttribute('href'))),
    sources: await frame?.locator('[src]').count(),
    ran: await page.evaluate('typeof ran'),
    asked: asked.filter(url => url.includes('evil.example')),
  }
}

test('XSS-02 documents cannot run anything they contain', async ({ app, page, corner }) => {
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  const body = `${HOSTILE}<p style="background: url(https://evil.example/e)">The <a href="javascript:parent.ran = 1">end</a>
    <a href="https://example.org/">away</a> <a href="/api/renew">call</a></p>`
  await writeFile(join(corner.disk, 'a.epub'), bookOf(body, HOSTILE_CSS))
  const run = (text: string, link?: string) =>
    `<w:p>${link ? `<w:hyperlink r:id="${link}">` : ''}<w:r><w:rPr><w:color w:val="red;background:url(https://evil.example/d)"/></w:rPr><w:t>${text}</w:t></w:r>${link ? '</w:hyperlink>' : ''}</w:p>`
  const text = '&lt;img src=x onerror="parent.ran=1">'
  await writeFile(
    join(corner.disk, 'b.docx'),
    letterOf(run(text) + run('lead', 'j') + run('away', 'e') + run('The end')),
  )
  const nothing = { elements: 0, links: ['https://example.org/'], sources: 0, ran: 'undefined', asked: [] }

  await app.open(`/files${corner.path}/a.epub`)
  const frame = page.frameLocator('iframe')
  await expect(frame.getByText('The end away call')).toBeVisible()
  await expect(frame.getByText('The end away call')).toHaveCSS('color', 'rgb(1, 2, 3)')
  expect(await leftIn(page, asked)).toEqual({ ...nothing, links: expect.arrayContaining(nothing.links) })
  await app.open(`/files${corner.path}/b.docx`)
  await expect(frame.getByText('The end')).toBeVisible()
  await expect(frame.getByText('<img src=x')).toBeVisible()
  expect(await leftIn(page, asked)).toEqual(nothing)

  await writeFile(join(corner.disk, 'c.pdf'), PDF_WITH_SCRIPTS)
  await app.open(`/files${corner.path}/c.pdf`)
  await expect(page.locator('[data-page="1"]').getByText('The end')).toBeAttached()
  await expect(page.locator('[data-page="1"]').getByRole('link')).toHaveCount(0)
  await writeFile(join(corner.disk, 'd.csv'), 'a,<img src=x onerror="ran = 1">\n=1+1,\'<svg onload="ran = 1">\n')
  await app.open(`/files${corner.path}/d.csv`)
  await expect(page.getByRole('gridcell', { name: '<img src=x' })).toBeVisible()
  expect(await page.evaluate('typeof ran')).toBe('undefined')
  expect(asked.filter(url => url.includes('evil.example'))).toEqual([])
})

test('a table is navigated with the keyboard, to its last cell', async ({ app, page, corner }) => {
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

test('a PDF file is searched, and navigated by its outline, its links and its page numbers', async ({
  app,
  page,
  corner,
}) => {
  await copyFile('test/corpus/documents/handbook.pdf', join(corner.disk, 'a.pdf'))
  await app.openFolder(corner.path)
  await app.row('a.pdf').dblclick()
  const number = page.getByLabel('Page', { exact: true })
  await expect(page.locator('[data-page="1"]').getByText('The harbour')).toBeAttached()
  await expectAccessibleInBoth(page)
  await page.keyboard.press('Control+f')
  await page.keyboard.type('the KEEPER')
  await expect(page.getByText('1 / 1', { exact: true })).toBeVisible()
  await expect(number).toHaveValue('3')
  await expect(page.getByText('Here stands the keeper.')).toBeInViewport()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('no such words')
  await expect(page.getByText('Not found')).toBeVisible()

  await app.button('Contents').click()
  await app.button('The market').click()
  await expect(number).toHaveValue('2')
  await number.fill('1')
  await page.keyboard.press('Enter')
  await expect(page.locator('[data-page="1"] button')).toBeVisible()
  await page.locator('[data-page="1"] button').click()
  await expect(number).toHaveValue('3')
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
  await page.keyboard.press('Escape')
  await app.isAt(`/files${corner.path}/`)
})

test('a very large file that is no PDF file is not searched to its end', async ({ app, page, corner }) => {
  const file = await open(join(corner.disk, 'a.pdf'), 'w')
  await file.truncate(3 * 1024 ** 3)
  await file.close()
  await app.open(`/files${corner.path}/a.pdf`)
  await expect(page.getByText('damaged or incomplete')).toBeVisible({ timeout: 60_000 })
  await expect(page.locator('body > main').getByRole('link', { name: 'Download' })).toBeVisible()
})

test('the sheets of a workbook are tabs, and the chapters of a book a list, with the keyboard alone', async ({
  app,
  page,
  corner,
}) => {
  for (const name of ['catch.xlsx', 'book.epub'])
    await copyFile(`test/corpus/documents/${name}`, join(corner.disk, name))
  await app.open(`/files${corner.path}/catch.xlsx`)
  await page.getByRole('tab', { name: 'Catch' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('gridcell', { name: 'مدينة' })).toBeVisible()
  await expectAccessibleInBoth(page)
  await app.open(`/files${corner.path}/book.epub`)
  await app.button('Contents').focus()
  for (const key of ['Enter', 'ArrowRight', 'Tab', 'ArrowRight', 'End']) await page.keyboard.press(key)
  await expect(app.button('A section of it')).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await expect(app.button('A second chapter')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page.frameLocator('iframe').getByText('A section of it')).toBeInViewport()
  await expectAccessibleInBoth(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
})

test('any offset of a very large file is shown byte by byte', async ({ app, page, corner }) => {
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

test('a position whose bytes do not arrive says so while it is in view, until they do', async ({
  app,
  page,
  corner,
}) => {
  const size = 256 * 1024
  await writeFile(join(corner.disk, 'a.bin'), Buffer.alloc(size, 'The bytes. '))
  let lost = true
  await page.route('**/api/raw/**', route => {
    const start = Number(/bytes=(\d+)/.exec(route.request().headers().range ?? '')?.[1] ?? 0)
    return lost && start >= size / 2 ? route.abort() : route.continue()
  })
  await app.open(`/files${corner.path}/a.bin?as=hex`)
  await expect(page.getByRole('row', { name: /^00000000 54 68 65/ })).toBeVisible()
  const alert = page.getByRole('alert').filter({ has: page.getByRole('heading') })
  const goTo = async (offset: number) => {
    await page.getByLabel('Offset').fill(offset.toString(16))
    await page.keyboard.press('Enter')
  }
  await goTo(0x30000)
  await expect(alert).toBeVisible()
  await page.getByRole('rowheader', { name: '00030000' }).hover()
  await page.mouse.wheel(0, 66)
  await expect(page.getByRole('row', { name: /^00030030/ })).toBeVisible()
  await expect(alert).toBeVisible()
  await goTo(0)
  await expect(page.getByRole('row', { name: /^00000000 54 68 65/ })).toBeVisible()
  await expect(alert).toHaveCount(0)
  await goTo(0x30000)
  await expect(alert).toBeVisible()
  lost = false
  await app.button('Retry').click()
  await expect(page.getByRole('row', { name: /^00030000 (?:[2-7][\da-f] ?)+/ })).toBeVisible()
  await expect(alert).toHaveCount(0)
})

test('the difference of two texts and the offer of a draft have no axe violations', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'a.js'), 'const a = "one"\n')
  await app.open(`/files${corner.path}/a.js?as=text`)
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
  await expect(page.getByText('Someone else has saved this file since then.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Your version' })).toBeVisible()
  await expectAccessibleInBoth(page)
  await page.setViewportSize({ width: 320, height: 640 })
  await expectNoSidewaysScroll(page)
})
