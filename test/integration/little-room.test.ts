import { spawnSync } from 'node:child_process'
import { chown, copyFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { call, json, person } from '../api/client.ts'
import { makeHome, type OwnServer, type StartOptions } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { unpack } from '../api/unpack.ts'
import { childrenOf } from '../faults/memory.ts'

const NOBODY = 65_534
/** An account without privileges, and without a way to gain any; everything but the home is read-only. */
const CONFINED = `mount --bind "$HOME" "$HOME" && mount -o remount,bind,ro / &&
  exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`
const mayConfine =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'sh', '-c', CONFINED, 'sh', 'true']).status === 0

const IMAGE = fileURLToPath(new URL('../corpus/halves.png', import.meta.url))

/** Proportional memory of a process in MiB: there is one copy of the program in memory. */
const shareOf = async (pid: number) =>
  Number(/^Pss:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) / 1024

/** A server in a home of its own, with a little of every kind of work. */
async function workOn(options: StartOptions): Promise<OwnServer> {
  const home = await makeHome()
  const root = join(home, 'srv')
  for (const folder of [home, root]) await chown(folder, process.getuid?.() === 0 ? NOBODY : -1, -1)
  const server = await serve({ home, ...options, env: { HOME: home, ...options.env } })
  const owner = await person(server)
  await copyFile(IMAGE, join(root, 'p.png'))
  const large = Buffer.alloc(24 * 2 ** 20, 'x')
  expect((await owner.put('/docs/large.txt', large)).status).toBe(200)
  expect((await owner.raw('/docs/large.txt')).bytes.equals(large)).toBe(true)
  expect(json(await owner.get('/docs/')).items).toMatchObject([{ name: 'large.txt' }])
  expect((await call(server, '/api/preview/thumb/p.png', { token: owner.token })).status).toBe(200)
  expect(json(await call(server, '/api/search/?query=large', { token: owner.token }))).toHaveLength(1)
  expect(Object.keys(await unpack((await owner.raw('/docs', '?algo=targz')).bytes, '.tar.gz'))).toEqual(['large.txt'])
  expect((await owner.remove('/docs/large.txt')).status).toBe(204)
  expect(await readdir(join(root, 'docs'))).toEqual([])
  return server
}

test.runIf(mayConfine)(
  'OPS-04 without any privileges, and with only its own home writable, everything works',
  async () => {
    const shell = `exec unshare --mount sh -c '${CONFINED}' sh "$@"`
    const server = await workOn({ shell })
    const status = await readFile(`/proc/${server.pid}/status`, 'utf8')
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
    for (const set of ['CapEff', 'CapPrm', 'CapBnd']) expect(status).toMatch(new RegExp(`^${set}:\\s+0+$`, 'm'))
    expect(await server.log()).not.toMatch(/"level":[56]0|EROFS|EACCES|EPERM/)
  },
)

test('OPS-08 one processor and 256 MiB are enough', async () => {
  // As in a container with so much memory: the runtime sizes its heap by it.
  const server = await workOn({
    shell: 'taskset -p -c 0 $$ >/dev/null 2>&1',
    env: { NODE_OPTIONS: '--max-old-space-size=128' },
  })
  const all = [server.pid, ...(await childrenOf(server.pid))]
  const memory = await Promise.all(all.map(shareOf))
  expect(memory.reduce((sum, one) => sum + one, 0)).toBeLessThan(256)
})
