import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { startServer } from '../api/harness.ts'
import { App } from './app.ts'
import { expect } from './fixtures.ts'
import { choose, makeFile, sent, sha256, test } from './sending.ts'
import { type SlowLine, startSlowLine } from './slow-line.ts'

const MIB = 2 ** 20
const isWhole = process.env.FILIGREE_UPLOADS === 'whole'
/** MiB of the file, and how many times its upload is interrupted. */
const { size, times } = isWhole ? { size: 100, times: 10 } : { size: 14, times: 3 }
/** Bytes that an interruption may cost: a block whose checksum is still missing, and the head of a request. */
const LOST = 0.02 * 10 * MIB

interface Sending {
  app: App
  line: SlowLine
}

/** Sends a file over a slow connection; in the end all of it has arrived. @param interrupt interrupts it */
async function sendWith(
  { page, local, base }: { page: Page; local: string; base: string },
  interrupt: (sending: Sending) => Promise<void>,
): Promise<{ bytes: number; shown: string[][] }> {
  const own = await startServer({ base })
  const line = await startSlowLine(own, 3_000_000)
  const hash = await makeFile(join(local, 'big.bin'), size * MIB)
  const app = new App(page, line.url)
  await app.open('/login')
  await app.logIn(own.adminPassword)
  await app.settled()
  const before = line.sent
  await choose(app, 'Files', join(local, 'big.bin'))
  await expect(app.uploads).toBeVisible()
  const shown = await watchShares(page)
  await interrupt({ app, line })
  await expect(app.row('big.bin')).toBeVisible({ timeout: 60_000 })
  const bytes = line.sent - before
  expect(sha256(await readFile(join(own.root, 'big.bin')))).toBe(hash)
  await expect.poll(() => readdir(own.root)).toEqual(['big.bin'])
  const all = await shown()
  line.stop()
  await own.stop()
  return { bytes, shown: all }
}

/** The progress in the panel from now on: of all, and of its first file. */
async function watchShares(page: Page): Promise<() => Promise<string[][]>> {
  await page.evaluate(() => {
    const shown: string[][] = []
    const note = () => {
      const panel = document.querySelector('section[data-activity]')
      const all = /(\d+)\s?%/.exec(panel?.querySelector('p')?.textContent ?? '')
      const file = /([\d.]+)\s[KM]iB of/.exec(panel?.querySelector('li:not([aria-hidden])')?.textContent ?? '')
      if (all && file) shown.push([all[1] ?? '', file[1] ?? ''])
    }
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, characterData: true })
    Object.assign(window, { shownShares: shown })
  })
  return () => page.evaluate(() => (window as unknown as { shownShares: string[][] }).shownShares)
}

function expectRising(shown: readonly string[][]): void {
  for (const column of [0, 1]) {
    const values = shown.map(row => Number(row[column]))
    expect(values.length).toBeGreaterThan(2)
    expect(values).toEqual(values.toSorted((one, other) => one - other))
  }
}

test('an upload that is paused repeatedly sends almost nothing twice, and its progress never decreases', async ({
  page,
  local,
  server: { base },
}) => {
  const { bytes, shown } = await sendWith({ page, local, base }, async ({ app }) => {
    for (let nth = 1; nth <= times; nth += 1) {
      const share = (nth * size) / (times + 1)
      await expect.poll(() => sent(app), { timeout: 60_000, intervals: [50] }).toBeGreaterThan(share)
      await app.uploads.getByRole('button', { name: 'Pause big.bin' }).click()
      await expect(app.uploads).toContainText('Paused')
      await app.uploads.getByRole('button', { name: 'Resume big.bin' }).click()
    }
  })
  console.log(`${bytes} bytes for ${size} MiB with ${times} pauses: ${(bytes / size / MIB).toFixed(4)}`)
  expect(bytes).toBeLessThan(isWhole ? 1.02 * size * MIB : size * MIB + times * LOST)
  expectRising(shown)
})

test('an upload whose connection breaks resumes within the chunk, and its progress never decreases', async ({
  page,
  local,
  server: { base },
}) => {
  const offsets: number[] = []
  page.on('request', request => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
  })
  const { shown } = await sendWith({ page, local, base }, async ({ line }) => {
    for (let nth = 1; nth <= 2; nth += 1) {
      await expect.poll(() => offsets.length).toBeGreaterThanOrEqual(nth)
      const { sent: before } = line
      await expect.poll(() => line.sent, { intervals: [50] }).toBeGreaterThan(before + 2 * MIB)
      line.cut()
    }
  })
  const [first, second = 0, third = 0] = offsets
  expect(first).toBe(0)
  expect([second, third - second].every(kept => kept > MIB && kept < 10 * MIB)).toBe(true)
  expectRising(shown)
})
