import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { heading, test as testAsVisitor } from './visitor.ts'

/** Milliseconds for a conversion on a busy machine. */
const CONVERTED = 60_000
/** A document with links of each kind, a form that submits, and scripts that run as it opens. */
const HOSTILE = `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"
 xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0"
 xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"
 xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"
 office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.text">
<office:scripts><office:script script:language="JavaScript">parent.ran = 1</office:script></office:scripts>
<office:body><office:text>
<office:forms><form:form form:name="f" xlink:href="https://evil.example/form" form:method="post">
<form:text form:id="t" xml:id="t" form:name="t"/></form:form></office:forms>
<text:p><draw:control draw:control="t" text:anchor-type="as-char" svg:width="5cm" svg:height="1cm"/></text:p>
<text:p><text:a xlink:href="https://example.org/">away</text:a> <text:a xlink:href="javascript:parent.ran=1">script</text:a>
<text:a xlink:href="file:///etc/passwd">file</text:a> <text:a xlink:href="/api/renew">call</text:a></text:p>
<text:p>The end</text:p></office:text></office:body></office:document>`
const pages = (page: Page) => page.locator('canvas[data-drawn]').first()

test('office documents are shown as pages, those with a viewer of their own on request', async ({
  app,
  page,
  corner,
}) => {
  for (const name of ['letter.odt', 'letter.docx']) {
    await copyFile(join('test/corpus/documents', name), join(corner.disk, name))
  }
  await app.open(`/files${corner.path}/letter.odt`)
  await expect(pages(page)).toBeVisible({ timeout: CONVERTED })
  await expectAccessibleInBoth(page)
  await app.open(`/files${corner.path}/letter.docx`)
  await expect(page.frameLocator('iframe').getByText('A quotation, with a footnote.')).toBeVisible()
  await page.getByRole('button', { name: 'Show as pages' }).click()
  await expect(pages(page)).toBeVisible({ timeout: CONVERTED })
})

test('PAP-05 links, scripts and forms of a document run nothing, and lead only to addresses of the web', async ({
  app,
  page,
  corner,
}) => {
  const asked: string[] = []
  page.on('request', request => asked.push(request.url()))
  await writeFile(join(corner.disk, 'a.fodt'), HOSTILE)
  await app.open(`/files${corner.path}/a.fodt`)
  await expect(pages(page)).toBeVisible({ timeout: CONVERTED })
  const first = page.locator('[data-page="1"]')
  await expect(first.getByText('The end')).toBeAttached()
  const targets = await first.locator('a').evaluateAll(links => links.map(link => link.getAttribute('href') ?? ''))
  expect(targets.filter(href => !/^(?:https:\/\/example\.org\/|#)/.test(href))).toEqual([])
  await expect(first.locator('input, button, textarea, select')).toHaveCount(0)
  for (const link of await first.locator('a').all()) expect(await link.getAttribute('rel')).toContain('noreferrer')
  expect(await page.evaluate('typeof ran')).toBe('undefined')
  expect(asked.filter(url => url.includes('evil.example'))).toEqual([])
})

testAsVisitor('office documents behind a link are shown as pages', async ({ app, page, corner, shareLink }) => {
  await mkdir(join(corner.disk, 'papers'))
  await copyFile('test/corpus/documents/letter.odt', join(corner.disk, 'papers/letter.odt'))
  await app.open(await shareLink('/papers/'))
  await app.row('letter.odt').click()
  await expect(heading(app)).toHaveText('letter.odt')
  await expect(pages(page)).toBeVisible({ timeout: CONVERTED })
})

test('a document that is none says so, and can be downloaded', async ({ app, page, corner }) => {
  await writeFile(join(corner.disk, 'broken.odt'), Buffer.from([80, 75, 3, 4, 0, 0, 0, 0]))
  await app.open(`/files${corner.path}/broken.odt`)
  await expect(page.getByText("can't be shown as pages")).toBeVisible({ timeout: CONVERTED })
  await expect(page.getByRole('main').getByRole('link', { name: 'Download' })).toBeVisible()
  await expectAccessibleInBoth(page)
})
