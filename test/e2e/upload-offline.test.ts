import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startServer } from '../api/harness.ts'
import { report } from '../faults/report.ts'
import { size } from '../faults/sizes.ts'
import { startLine } from '../proxies/line.ts'
import { App } from './app.ts'
import { expect } from './fixtures.ts'
import { choose, makeFile, network, sent, sha256, slowDown, test } from './sending.ts'

/** Seconds offline; `npm run test:faults`: longer than any proxy keeps a silent connection. */
const AWAY = size('AWAY', 5)
/** Seconds after which the page aborts a stalled request; in the short form its clock is advanced. */
const STALLED = 61
const MiB = 2 ** 20

for (const [how, what] of [
  ['refuses every connection', 'cut'],
  ['is silent', 'silence'],
] as const) {
  test(`an upload resumes from the bytes received after a network that ${how} for ${AWAY} seconds`, async ({
    page,
    local,
    server,
  }) => {
    test.setTimeout((AWAY + 240) * 1000)
    const own = await startServer({ base: server.base })
    const line = await startLine(own)
    const hash = await makeFile(join(local, 'big.bin'), 30 * MiB)
    const offsets: number[] = []
    page.on('request', request => {
      if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
    })
    const app = new App(page, line.url)
    if (AWAY < STALLED) await page.clock.install()
    await app.open('/login')
    await app.logIn(own.adminPassword)
    await app.settled()
    // What is sent into the silence, before and after it, is given up when its time is over.
    const passTime = async () => {
      if (what === 'silence' && AWAY < STALLED) await page.clock.fastForward(STALLED * 1000)
    }
    const session = await network(page)
    await slowDown(session, 6 * MiB)
    await choose(app, 'Files', join(local, 'big.bin'))
    await expect.poll(() => sent(app)).toBeGreaterThan(11)
    await line[what]()
    await expect(async () => {
      await passTime()
      await expect(app.uploads).toContainText('No connection.', { timeout: 3000 })
    }).toPass({ timeout: 90_000 })
    await page.waitForTimeout(AWAY * 1000)
    expect(await readdir(own.root)).not.toContain('big.bin')
    await slowDown(session, -1)
    await line.restore()
    const back = Date.now()
    await expect(async () => {
      await expect(app.row('big.bin'))
        .toBeVisible({ timeout: 5000 })
        .catch(async lacking => {
          await passTime()
          throw lacking
        })
    }).toPass({ timeout: 120_000 })
    report(`an upload went on ${((Date.now() - back) / 1000).toFixed(0)} s after ${AWAY} s in which the network ${how}`)
    expect(sha256(await readFile(join(own.root, 'big.bin')))).toBe(hash)
    await expect.poll(() => readdir(own.root)).toEqual(['big.bin'])
    expect(offsets.filter(offset => offset === 0)).toHaveLength(1)
    line.stop()
    await own.stop()
  })
}
