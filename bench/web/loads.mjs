import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { inRepo } from '../../scripts/lib/repo.mjs'
import { blockingTime } from './in-page.mjs'
import { SIZES } from './stage.mjs'

/** Sizes that are opened over a slow network as well. */
const SLOW_SIZES = [100, 10_000, 100_000]
const STATIC = '/static/'
/** Milliseconds without a request or a long task after which a page is idle. */
const REST = 300

/** Goals 1 to 4 and 11: opens each folder with an empty cache. @param note takes a key and a figure */
export async function measureLoads(stage, note) {
  await weighFirstLoad(stage, note)
  for (const size of SIZES) await load(stage, note, size)
  for (const size of SLOW_SIZES) await load(stage, note, size, 'network')
}

async function load(stage, note, size, slow) {
  const visit = await stage.visit({ slow })
  const suffix = slow ? ' slow' : ''
  note(`row ${size}${suffix}`, await visit.open(size))
  await settle(visit.page)
  note('cls load', await visit.page.evaluate(() => globalThis.watched.shifts))
  if (size === 10_000) note(`tbt${suffix}`, await visit.page.evaluate(blockingTime))
  await visit.leave()
}

/** The built files that the page loaded before its first row, by gzip size. */
async function weighFirstLoad(stage, note) {
  const visit = await stage.visit()
  const asked = new Set()
  visit.page.on('request', request => asked.add(new URL(request.url()).pathname))
  await visit.open(100)
  const files = [...asked].filter(path => path.startsWith(STATIC)).map(path => path.slice(STATIC.length))
  const sizes = { script: 0, static: 0 }
  for (const file of files) {
    const bytes = gzipSync(readFileSync(inRepo('dist', 'web', file)), { level: 9 }).length
    sizes.static += bytes
    if (file.endsWith('.js')) sizes.script += bytes
  }
  await visit.leave()
  note('script', sizes.script / 1000)
  note('static', sizes.static / 1000)
}

/** Waits until the page has been idle for a while; a stream of events may stay open. */
export async function settle(page) {
  await page.waitForFunction(rest => performance.now() - globalThis.watched.busyAt > rest, REST, { timeout: 120_000 })
  await page.evaluate(() => new Promise(resolve => requestIdleCallback(resolve, { timeout: 2000 })))
}

/** Milliseconds from each interaction of an act to its next paint; those too short to be reported count 16. */
export async function answered(page, act) {
  await page.evaluate(() => globalThis.watched.interactions.clear())
  await act()
  await settle(page)
  const found = await page.evaluate(() => [...globalThis.watched.interactions.values()].map(({ duration }) => duration))
  return found.length > 0 ? [Math.max(...found)] : [16]
}
