import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessibleInBoth } from './axe.ts'
import { expect, test } from './fixtures.ts'
import { heading, test as testAsVisitor } from './visitor.ts'

/** Milliseconds for a conversion on a busy machine. */
const CONVERTED = 60_000
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
