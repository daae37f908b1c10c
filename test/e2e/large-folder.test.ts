import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from './fixtures.ts'

const COUNT = 100_000
const MOST_NODES = 1200
/** Timeout in milliseconds on a busy machine; the measured time is printed. */
const PATIENCE = 30_000

test('DIR-01 a folder of 100 000 entries opens, scrolls, is selected as a whole and needs little memory', async ({
  app,
  page,
  corner,
}) => {
  test.slow()
  mkdirSync(join(corner.disk, 'large'))
  for (let index = 0; index < COUNT; index += 1) writeFileSync(join(corner.disk, 'large', `file ${index}.txt`), '')
  await app.openFolder(corner.path)
  const nodes = () => page.evaluate(() => document.querySelectorAll('*').length)

  const began = performance.now()
  await app.row('large').dblclick()
  await expect(app.row('file 0.txt')).toBeVisible({ timeout: PATIENCE })
  const opened = performance.now()
  await expect(app.grid).toHaveAttribute('aria-rowcount', String(COUNT + 1))
  await expect.poll(() => nodes()).toBeLessThanOrEqual(MOST_NODES)

  const jump = performance.now()
  await page.keyboard.press('End')
  await expect(app.row(`file ${COUNT - 1}.txt`)).toBeFocused({ timeout: PATIENCE })
  await expect(app.row(`file ${COUNT - 1}.txt`)).toBeInViewport()
  const ended = performance.now()
  await expect.poll(() => nodes()).toBeLessThanOrEqual(MOST_NODES)

  const frames = await page.evaluate(scrollThrough)
  await expect.poll(() => nodes()).toBeLessThanOrEqual(MOST_NODES)
  await expect(app.row('file 0.txt')).toBeInViewport()
  await page.keyboard.press('Control+a')
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText('100,000 selected')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toHaveCount(0)
  const times = `opened ${Math.round(opened - began)} ms, end ${Math.round(ended - jump)} ms`
  process.stdout.write(`  100 000 entries: ${times}, slowest frame while scrolling ${Math.round(frames)} ms\n`)
})

test('the first rows of a large folder arrive before the others, and stay if those do not arrive', async ({
  app,
  page,
  corner,
}) => {
  mkdirSync(join(corner.disk, 'many'))
  for (let index = 0; index < 3000; index += 1) writeFileSync(join(corner.disk, 'many', `file ${index}.txt`), '')
  await page.addInitScript(gateAnswers, '/many/')
  const gate = (state: Gate) => page.evaluate(next => Object.assign(globalThis, { gate: next }), state)
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await app.openFolder(corner.path)
  await gate('cut')
  await app.row('many').dblclick()
  await expect(page.getByText('200 of 3,000…')).toBeVisible()
  await expect(app.row('file 0.txt')).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText('Offline – showing what was loaded')).toBeVisible()
  await expect(app.row('file 1.txt')).toBeFocused()
  await gate('held')
  await page.keyboard.press('Escape')
  await app.button('Refresh').click()
  await app.row('file 1.txt').focus()
  await page.keyboard.press('Control+a')
  await expect(page.getByText('200 of 3,000…')).toBeVisible()
  await expect(bar).toHaveCount(0)
  await gate('open')
  await expect(bar).toContainText('3,000 selected')
  await expect(app.row('file 1.txt')).toBeFocused()
})

/** Handling of a response after its first line: passed, held back, or dropped. */
type Gate = 'open' | 'held' | 'cut'

/** Runs in the page: the state of `globalThis.gate` applies to responses of calls that end like this. */
function gateAnswers(end: string): void {
  const state = () => (globalThis as { gate?: Gate }).gate ?? 'open'
  const whenOpen = async () => {
    while (state() === 'held') await new Promise(resolve => setTimeout(resolve, 50))
    if (state() === 'cut') throw new TypeError('cut off')
  }
  const fetched = fetch
  globalThis.fetch = async (input, init) => {
    const answer = await fetched(input, init)
    if (!String(input).endsWith(end) || !answer.body) return answer
    const gate = new TransformStream<Uint8Array, Uint8Array>({
      async transform(bytes, controller) {
        const first = bytes.indexOf(10) + 1
        controller.enqueue(bytes.subarray(0, first))
        await whenOpen()
        controller.enqueue(bytes.subarray(first))
      },
    })
    return new Response(answer.body.pipeThrough(gate), answer)
  }
}

/** Scrolls the grid from its end to its start in a second. @returns the longest time between two frames */
async function scrollThrough(): Promise<number> {
  const grid = document.querySelector('[role=grid]')
  if (!grid) return Number.NaN
  const steps = 60
  const from = grid.scrollTop
  let slowest = 0
  let last = performance.now()
  for (let step = steps - 1; step >= 0; step -= 1) {
    grid.scrollTop = (from * step) / steps
    await new Promise(requestAnimationFrame)
    const now = performance.now()
    slowest = Math.max(slowest, now - last)
    last = now
  }
  return slowest
}
