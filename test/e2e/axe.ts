import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type Corner, expect } from './fixtures.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface AxeResults {
  violations: { id: string; help: string; nodes: { html: string; failureSummary?: string }[] }[]
}

/** Asks axe about the page as it is now. Evaluated from outside, because the page's policy allows no foreign script. */
export const expectAccessible = (page: Page): Promise<void> => expectNoBarrier(page)

/** Asks about everything in light, and in dark once more about what depends on colours; the page itself is the same. */
export async function expectAccessibleInBoth(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNoBarrier(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoBarrier(page, { runOnly: ['cat.color'] })
}

async function expectNoBarrier(page: Page, options = {}): Promise<void> {
  await page.evaluate(() => Promise.allSettled(document.getAnimations().map(animation => animation.finished)))
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  const question = JSON.stringify({ resultTypes: ['violations'], ...options })
  const results = await page.evaluate<AxeResults>(`axe.run(document, ${question})`)
  const found = results.violations.map(({ id, help, nodes }) => ({
    id,
    help,
    at: nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} – ${failureSummary}`),
  }))
  expect(found).toEqual([])
}

/** Things of many kinds, and a name that does not fit. */
export async function fill({ disk }: Corner): Promise<void> {
  await mkdir(join(disk, 'Documents'))
  await mkdir(join(disk, 'Bilder 😀'))
  const names = ['photo.jpg', 'song.mp3', 'film.mp4', 'paper.pdf', 'note.md', 'archive.zip', 'data', 'table.xlsx']
  for (const name of names) await writeFile(join(disk, name), Buffer.alloc(2000, 0))
  await writeFile(join(disk, `${'a very long name that does not fit '.repeat(6)}.txt`), 'x')
}

/** Waits until neither the page nor a dialog in it is wider than the window; what follows a new size may take a moment. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(findTooWide)).toEqual([])
}

/** What sticks out of the window at a side, once what belongs to the next two frames is done. Runs in the page. */
async function findTooWide(): Promise<string[]> {
  await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  const { scrollWidth, clientWidth } = document.documentElement
  const dialogs = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].filter(dialog => {
    const { left, right } = dialog.getBoundingClientRect()
    return left < 0 || right > clientWidth
  })
  const found = dialogs.map(dialog => `the dialog ${dialog.textContent.slice(0, 60)}`)
  return scrollWidth > clientWidth ? [`the page by ${scrollWidth - clientWidth} pixels`, ...found] : found
}
