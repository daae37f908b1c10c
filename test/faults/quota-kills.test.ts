import { mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { GOOD_PASSWORD, manager, perm, send } from '../api/accounts.ts'
import { call, json, signIn } from '../api/client.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { Dice } from '../fuzz/dice.ts'
import { SEED, size } from './sizes.ts'

/** Kills in total; whole: 60. */
const KILLS = size('QUOTA_KILLS', 3)
const MIB = 1024 * 1024

/** Bytes of the files that users see below a folder, and the number of its files and folders. */
async function du(folder: string): Promise<{ bytes: number; items: number }> {
  const sum = { bytes: 0, items: 0 }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (path.includes('.~fg-')) continue
    if (entry.isFile() || entry.isDirectory()) sum.items += 1
    if (entry.isFile()) sum.bytes += (await stat(path).catch(() => ({ size: 0 }))).size
  }
  return sum
}

test(`QTA-02 through ${KILLS} kills a home never holds more than its meter says, and exactly that after each`, async () => {
  let server: OwnServer = await startServer()
  onTestFinished(() => server.stop())
  const admin = await manager(server)
  const id = await admin.add('ann', { scope: '/ann', perm: perm('create', 'rename', 'modify', 'delete', 'download') })
  const home = join(server.root, 'ann')
  await mkdir(join(home, 'many'), { recursive: true })
  for (let number = 0; number < 200; number++) await writeFile(join(home, `many/${number}`), Buffer.alloc(number * 10))
  await writeFile(join(home, 'big'), Buffer.alloc(3 * MIB))
  await send(server, 'PUT', `/api/quotas/users/${id}`, admin.token, { bytes: 60 * MIB })
  const token = await signIn(server, 'ann', GOOD_PASSWORD)
  const dice = new Dice(SEED)
  const quota = async () => json(await call(server, '/api/quota', { token }))
  for (let round = 0; round < KILLS; round++) {
    const ask = (method: string, path: string, body?: string) =>
      call(server, `/api/resources/${path}`, { method, token, ...(body !== undefined && { body }) }).catch(() => {})
    const acting = [
      ask('PATCH', `many?action=copy&destination=/many${round}`),
      ask('PATCH', `big?action=copy&destination=/big${round}`),
      ask('POST', `up${round}?override=true`, 'x'.repeat(MIB)),
      ask('POST', 'again?override=true', 'x'.repeat(1 + Math.floor(dice.roll() * MIB))),
      ...(round > 0 ? [ask('DELETE', `many${round - 1}`), ask('DELETE', `big${round - 1}`)] : []),
    ]
    await new Promise(resolve => setTimeout(resolve, dice.roll() * 400))
    await server.end('SIGKILL')
    await Promise.all(acting)
    server = await startServer({ home: server.home, root: server.root })
    const { used, reserved, items } = await quota()
    const there = await du(home)
    expect(used + reserved).toBeGreaterThanOrEqual(there.bytes)
    expect(items.used + items.reserved).toBeGreaterThanOrEqual(there.items)
    await expect.poll(quota).toMatchObject({
      ...{ used: there.bytes, reserved: 0, exact: true },
      items: { used: there.items, reserved: 0 },
    })
  }
}, 3_600_000)
