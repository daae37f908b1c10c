import { scrollFrames } from './in-page.mjs'
import { answered, settle } from './loads.mjs'

const LARGE = 100_000
const SCROLL_FOR = 3000

/** Goals 5 to 11 in the folder of 100 000 entries. @param note takes a key and a figure */
export async function measureLarge(stage, note) {
  const visit = await stage.visit()
  await visit.open(LARGE)
  await settle(visit.page)
  await scroll(visit.page, frames => {
    note('frame p95', quantile(frames, 0.95))
    note('frame max', Math.max(...frames))
  })
  await selectAll(visit.page, note)
  await sort(visit.page, note)
  await interact(visit.page, duration => note('inp', duration))
  note('nodes', await mostNodes(visit.page))
  note('cls session', await visit.page.evaluate(() => globalThis.watched.shifts))
  note('heap', await heapOf(visit))
  await visit.leave()
  await measureSlow(stage, note)
}

async function measureSlow(stage, note) {
  const visit = await stage.visit({ slow: 'processor' })
  await visit.open(LARGE)
  await settle(visit.page)
  await scroll(visit.page, frames => note('fps slow', 1000 / average(frames)))
  await interact(visit.page, duration => note('inp slow', duration))
  await visit.leave()
}

async function scroll(page, record) {
  record(await page.evaluate(scrollFrames, SCROLL_FOR))
  await page.evaluate(() => document.querySelector('[role=grid]').scrollTo({ top: 0 }))
  await settle(page)
}

const rowAt = (page, index) => page.locator(`[role=row][data-index="${index}"]`)

async function selectAll(page, note) {
  await rowAt(page, 2).click({ position: { x: 300, y: 10 } })
  await settle(page)
  note('select all', (await answered(page, () => page.keyboard.press('Control+a')))[0])
  await page.keyboard.press('Escape')
  await settle(page)
}

/** Sorted by another column first, so that there is something to do. */
async function sort(page, note) {
  const sortBy = async (name, direction) => {
    const header = page.getByRole('columnheader', { name })
    await page.evaluate(() => globalThis.watched.tasks.splice(0))
    const began = performance.now()
    await header.getByRole('button').click()
    await page.locator(`[role=columnheader][aria-sort=${direction}]`, { hasText: name }).waitFor()
    await page.locator('[role=grid] [role=row][data-index="0"]').waitFor()
    const took = performance.now() - began
    await settle(page)
    const tasks = await page.evaluate(() => globalThis.watched.tasks.map(task => task.duration))
    return { took, longest: Math.max(0, ...tasks) }
  }
  await sortBy('Size', 'ascending')
  const { took, longest } = await sortBy('Name', 'ascending')
  note('sort', took)
  note('sort task', longest)
}

/** Selects, extends, opens a menu, changes the view, and back. @param record takes milliseconds until painted */
async function interact(page, record) {
  const at = { x: 300, y: 10 }
  const menu = page.getByRole('menu')
  const acts = [
    () => rowAt(page, 3).click({ position: at }),
    () => rowAt(page, 12).click({ position: at, modifiers: ['Shift'] }),
    () => page.keyboard.press('Shift+End'),
    () => page.keyboard.press('Home'),
    () =>
      rowAt(page, 4)
        .click({ position: at, button: 'right' })
        .then(() => menu.waitFor()),
    () => page.keyboard.press('Escape').then(() => menu.waitFor({ state: 'detached' })),
    () => page.keyboard.press('Control+Shift+Digit2'),
    () => page.keyboard.press('Control+Shift+Digit1'),
  ]
  // Lazy chunks are loaded by now: the goal is about responsiveness, not about the network.
  for (const act of acts) await answered(page, act)
  const durations = []
  for (const act of acts) durations.push(...(await answered(page, act)))
  record(quantile(durations, 0.75))
}

async function mostNodes(page) {
  const count = () => page.evaluate(() => document.querySelectorAll('*').length)
  const counts = []
  for (const key of ['Digit2', 'Digit3', 'Digit1']) {
    await page.keyboard.press(`Control+Shift+${key}`)
    await settle(page)
    counts.push(await count())
    await page.evaluate(scrollFrames, 500)
    counts.push(await count())
  }
  return Math.max(...counts)
}

async function heapOf({ devtools }) {
  await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

function average(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
