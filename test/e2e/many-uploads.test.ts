import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { forbidWriting } from '../api/disks.ts'
import { report } from '../faults/report.ts'
import { size } from '../faults/sizes.ts'
import { expect } from './fixtures.ts'
import { choose, test } from './sending.ts'

/** Small files in one folder; `npm run test:faults -- --big`: 10 000. */
const FILES = size('FILES', 100)
const FOLDERS = 20
/** Milliseconds for which the page may paint nothing, on a machine with other work, too. */
const LONGEST = 4000

/** Measures the gaps between frames of the page. @returns the longest one, in milliseconds */
async function watchFrames(page: Page): Promise<() => Promise<number>> {
  const seen = await page.evaluateHandle(() => {
    const frames = { last: performance.now(), longest: 0 }
    const sample = () => {
      const now = performance.now()
      frames.longest = Math.max(frames.longest, now - frames.last)
      frames.last = now
      requestAnimationFrame(sample)
    }
    requestAnimationFrame(sample)
    return frames
  })
  return async () => Math.round(await seen.evaluate(({ longest }) => longest))
}

test(`${FILES} small files arrive complete, all are counted, and the page stays responsive`, async ({
  app,
  page,
  corner,
  local,
}) => {
  test.setTimeout(1_200_000)
  const names = Array.from({ length: FILES }, (_, index) => `many/folder${index % FOLDERS}/${index}.txt`)
  for (const name of [...names, 'many/closed/no.txt']) {
    await mkdir(dirname(join(local, name)), { recursive: true })
    await writeFile(join(local, name), `content of ${name}`)
  }
  await mkdir(join(corner.disk, 'many/closed'), { recursive: true })
  await mkdir(join(corner.disk, 'many/folder7'))
  await writeFile(join(corner.disk, 'many/folder7/7.txt'), 'kept')
  const allowWriting = forbidWriting(join(corner.disk, 'many/closed'))
  await app.openFolder(corner.path)
  const began = performance.now()
  await choose(app, 'Folder', join(local, 'many'))
  // The browser's own time to pass on the files comes before this.
  const longestPause = await watchFrames(page)
  await expect(app.dialog).toContainText('1 file already exists', { timeout: 120_000 })
  await app.dialog.getByRole('combobox').first().selectOption('Skip')
  await app.button('Continue').click()

  const asked = performance.now()
  await page.keyboard.press('Alt+n')
  await app.naming.getByLabel('Folder name').fill('made meanwhile')
  await page.keyboard.press('Enter')
  await expect(app.row('made meanwhile')).toBeVisible()
  const answered = Math.round(performance.now() - asked)

  // New folders are counted, too; `many`, `many/folder7` and `many/closed` exist.
  const sent = FILES - 1 + FOLDERS - 1
  const tally = `${sent.toLocaleString('en')} uploaded · 1 skipped · 1 failed`
  await expect(app.uploads).toContainText(tally, { timeout: 900_000 })
  const seconds = (performance.now() - began) / 1000
  const longest = await longestPause()
  allowWriting()
  for (const name of names) {
    const expected = name === 'many/folder7/7.txt' ? 'kept' : `content of ${name}`
    expect(await readFile(join(corner.disk, name), 'utf8')).toBe(expected)
  }
  report(`${FILES} small files by the browser in ${seconds.toFixed(1)} s: ${tally}`)
  report(`  longest time without a frame ${longest} ms; a folder was made meanwhile within ${answered} ms`)
  expect(longest).toBeLessThan(LONGEST)
  await rm(join(corner.disk, 'many'), { recursive: true })
})
