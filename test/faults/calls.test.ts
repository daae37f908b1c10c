import { randomBytes } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { kernelState } from '../../server/storage/local/kernel/open-kernel.ts'
import { call, person } from '../api/client.ts'
import { corner, serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { snapshot } from '../api/snapshot.ts'
import { COUNTABLE, canInject, injecting, watching } from './inject.ts'
import { prepare } from './operations.ts'

/** Expected order of system calls, as a pattern of their lines. */
const STEPS = {
  write: /pwrite64\(\d+, .* = [1-9]/,
  sync: /f(?:data)?sync\(\d+\) += 0/,
  publish: /(?:rename|renameat|renameat2|link|linkat)\(.* = 0/,
  answer: /write[v]?\(\d+, .*HTTP\/1\.1 20/,
}
/** Whether the server renames by a call of its own, on its main thread. */
const isDirect = kernelState(process.env.FILIGREE_TEST_KERNEL === 'off' ? 'off' : 'auto').calls !== undefined
type Step = keyof typeof STEPS
const CALLS = 'pwrite64,fsync,fdatasync,rename,renameat,renameat2,link,linkat,write,writev'

const stepsOf = (lines: readonly string[]): Step[] =>
  lines.flatMap(line => Object.entries(STEPS).flatMap(([name, pattern]) => (pattern.test(line) ? [name as Step] : [])))

describe.runIf(canInject)('system calls', async () => {
  const server = await serve({ env: COUNTABLE })
  const owner = await person(server)
  const visit = { server, owner }

  test.each(['POST over a file', 'POST into new folders', 'PUT (save)', 'upload in pieces', 'copy over a file'])(
    'CRASH-09 %s writes, syncs the file, renames it, syncs the folder, and only then responds',
    async name => {
      const stage = await corner(server)
      const operation = await prepare(name, stage)
      const { lines } = await watching(server.pid, CALLS, () => operation.act(visit))
      const steps = stepsOf(lines)
      const published = steps.lastIndexOf('publish')
      const before = steps.slice(0, published)
      expect(before.lastIndexOf('sync')).toBeGreaterThan(before.lastIndexOf('write'))
      expect(before.lastIndexOf('write')).toBeGreaterThanOrEqual(0)
      const after = steps.slice(published + 1)
      expect(after.indexOf('sync')).toBeGreaterThanOrEqual(0)
      expect(after.lastIndexOf('answer')).toBeGreaterThan(after.indexOf('sync'))
    },
  )

  test.each(['EACCES', 'EPERM', 'EBUSY', 'EIO'])(
    'MOVE-02 a folder stays in place when its rename fails with %s',
    async errno => {
      const { disk, path } = await corner(server)
      await mkdir(join(disk, 'from'))
      await writeFile(join(disk, 'from/a'), 'a')
      const before = await snapshot(disk)
      const fault = { calls: 'rename,renameat,renameat2', what: `error=${errno}`, nth: 1, main: isDirect }
      const address = `/api/resources${path}/from?action=rename&destination=${path}/to`
      const move = () => call(server, address, { method: 'PATCH', token: owner.token })
      const { hit, result } = await injecting(server.pid, fault, move)
      expect(hit).toBe(true)
      expect([403, 500, 503]).toContain(result.status)
      expect(await snapshot(disk)).toEqual(before)
      expect((await move()).status).toBe(200)
    },
  )

  test.each(['zip', 'tar', 'tar.gz'])(
    'ARCH-02 a file that cannot be read to its end interrupts an archive as %s',
    async algo => {
      const { disk, path } = await corner(server)
      // More than the connection buffers, so that some of it has arrived by then.
      await writeFile(join(disk, 'a.bin'), randomBytes(8 * 2 ** 20))
      await writeFile(join(disk, 'b.txt'), 'comes after')
      const download = () =>
        call(server, `/api/raw${path}?algo=${algo}`, { token: owner.token }).then(
          ({ status }) => status,
          () => 'broken off',
        )
      const { hit, result } = await injecting(server.pid, { calls: 'pread64', what: 'error=EIO', nth: 24 }, download)
      expect([hit, result]).toEqual([true, 'broken off'])
      expect(await download()).toBe(200)
    },
  )

  test('ARCH-02 a file that cannot be read to its end leaves no archive among the files', async () => {
    const { disk, path } = await corner(server)
    await writeFile(join(disk, 'a.bin'), randomBytes(2 ** 20))
    const archive = { to: `${path}/a.tar`, format: 'tar' }
    const pack = () => jobsOf(server, owner).run({ kind: 'archive', items: [{ from: `${path}/a.bin` }], archive })
    const { hit, result } = await injecting(server.pid, { calls: 'pread64', what: 'error=EIO', nth: 3 }, pack)
    expect([hit, result.items?.map(({ code }) => code)]).toEqual([true, ['unavailable']])
    expect(await readdir(disk)).toEqual(['a.bin'])
  })
})
