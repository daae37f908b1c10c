import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { call, json, login, person } from '../api/client.ts'
import { mountHungDisk } from '../api/disks.ts'
import { makeHome } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { tusOf } from '../api/tus.ts'
import { report } from './report.ts'
import { size } from './sizes.ts'

/** Whether the test waits half a minute for the server to give the requests up; whole: yes. */
const WAITED = size('HUNG', 0) > 0
/** Requests to a disk that hangs. */
const REQUESTS = 32
/** Milliseconds within which all other requests complete: less than the server's timeout for a disk. */
const SOON = 15_000

const home = await makeHome()
const hung = join(home, 'srv/hung')
const release = await mountHungDisk(hung)
afterAll(() => rm(home, { recursive: true, force: true }))

test.runIf(release)(
  'DISK-08 a disk that hangs blocks no request to other disks',
  async () => {
    await mkdir(join(home, 'srv/fine'))
    await writeFile(join(home, 'srv/fine/a.txt'), 'alpha')
    const server = await serve({ home, root: join(home, 'srv') })
    // Otherwise the cleanup would wait for the disk.
    onTestFinished(async () => release?.())
    const owner = await person(server)
    const asked = Array.from({ length: REQUESTS / 4 }, (_, index) => [
      owner.get(`/hung/${index}`),
      owner.raw(`/hung/${index}.txt`),
      owner.put(`/hung/${index}.txt`, 'beta'),
      tusOf(server, owner).create(`/hung/${index}.bin`, 4),
    ]).flat()
    let open = asked.length
    const answers = Promise.all(asked.map(answer => answer.finally(() => (open -= 1))))

    const began = performance.now()
    expect((await call(server, '/health')).status).toBe(200)
    expect((await login(server, 'admin', server.adminPassword)).status).toBe(200)
    expect((await owner.raw('/fine/a.txt')).text).toBe('alpha')
    expect((await owner.put('/fine/b.txt', 'beta')).status).toBe(200)
    expect(json(await owner.get('/fine')).items.map(({ name }: { name: string }) => name)).toEqual(['a.txt', 'b.txt'])
    expect(json(await owner.get('/')).items.map(({ name }: { name: string }) => name)).toEqual(['fine'])
    const took = performance.now() - began
    expect(took).toBeLessThan(SOON)
    expect(open).toBe(REQUESTS)

    if (!WAITED) await release?.()
    const statuses = (await answers).map(({ status }) => status)
    if (WAITED) expect(new Set(statuses)).toEqual(new Set([503]))
    const waited = (performance.now() - began) / 1000
    report(
      `${REQUESTS} requests at a disk that hangs: others took ${took.toFixed(0)} ms, they had 503 in ${waited.toFixed(1)} s`,
    )
  },
  120_000,
)
