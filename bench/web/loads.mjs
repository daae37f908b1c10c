import { gzipSync } from 'node:zlib'
import { blockingTime } from './in-page.mjs'
import { SIZES } from './stage.mjs'

/** Sizes that are opened over a slow network as well. */
const SLOW_SIZES = [100, 10_000, 100_000]
/** Milliseconds without a request or a long task after which a page is at rest. */
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

/** What the page asked for until its first row stood there, as large as gzip makes it. */
async function weighFirstLoad(stage, note) {
  const visit = await stage.visit()
  const answers = []
  visit.page.on('response', response => answers.push({ response, at: performance.now() }))
  await visit.open(100)
  const until = performance.now()
  const sizes = { script: 0, static: 0 }
  for (const { response, at } of answers) {
    const kind = response.request().resourceType()
    if (at > until || !['document', 'script', 'stylesheet', 'font', 'image'].includes(kind)) continue
    const bytes = gzipSync(await response.body(), { level: 9 }).length
    sizes.static += bytes
    if (kind === 'script') sizes.script += bytes
  }
  await visit.leave()
  note('script', sizes.script / 1000)
  note('static', sizes.static / 1000)
}

/** Waits until the page has been at rest for a while; a stream of events may stay open meanwhile. */
export async function settle(page) {
  await page.waitForFunction(rest => performance.now() - globalThis.watched.busyAt > rest, REST, { timeout: 120_000 })
  await page.evaluate(() => new Promise(resolve => requestIdleCallback(resolve, { timeout: 2000 })))
}
