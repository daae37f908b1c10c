import { mkdir, readdir, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Job } from '../../shared/api/jobs.ts'
import type { Mount } from '../../shared/api/mounts.ts'
import type { QuotasAnswer } from '../../shared/api/quotas.ts'
import { GOOD_PASSWORD, manager, perm, send } from '../api/accounts.ts'
import { call, json, signIn } from '../api/client.ts'
import { withRoot } from '../api/further-root.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { mountRoot } from '../api/mounted-instance.ts'
import { Dice } from '../fuzz/dice.ts'
import { SEED, size } from './sizes.ts'

/** Kills in total; whole: 60. */
const KILLS = size('QUOTA_KILLS', 3)
const MIB = 1024 * 1024
/** States of jobs that have ended. */
const OVER: readonly string[] = ['done', 'cancelled']

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

test(`QTA-02 ROOT-04 through ${KILLS} kills a mount and its root hold no more than their meters say, and moves lose nothing`, async () => {
  const { home: place, disk, args } = await withRoot()
  let server: OwnServer = await startServer({ home: place, args })
  onTestFinished(() => server.stop())
  const admin = await manager(server)
  const at = await mountRoot(server)
  const folder = await realpath(disk)
  for (let number = 0; number < 200; number++) {
    await mkdir(join(server.root, 'tree', `${number % 7}`), { recursive: true })
    await writeFile(join(server.root, `tree/${number % 7}/${number}`), Buffer.alloc(number * 10, number))
  }
  await writeFile(join(folder, 'big'), Buffer.alloc(3 * MIB))
  const mounts: Mount[] = json(await send(server, 'GET', '/api/mounts', admin.token))
  const limit = { name: at.slice(1), readOnly: false, quotaBytes: 60 * MIB }
  expect((await send(server, 'PUT', `/api/mounts/${mounts[0]?.id}`, admin.token, limit)).status).toBe(200)
  expect((await send(server, 'PATCH', '/api/roots/media', admin.token, { quotaBytes: 60 * MIB })).status).toBe(204)
  const dice = new Dice(SEED)
  const meters = async () => {
    const { mounts: ofMounts, roots } = json(await send(server, 'GET', '/api/quotas', admin.token)) as QuotasAnswer
    return [...ofMounts, ...roots]
  }
  const sizesIn = async (folders: readonly string[]) => {
    const found = new Map<string, number>()
    for (const one of folders)
      for (const entry of await readdir(one, { recursive: true, withFileTypes: true }).catch(() => []))
        if (entry.isFile()) found.set(entry.name, (await stat(join(entry.parentPath, entry.name))).size)
    return found
  }
  let there = false
  for (let round = 0; round < KILLS; round++) {
    const ask = (method: string, path: string, body?: string) =>
      call(server, path, { method, token: admin.token, ...(body !== undefined && { body }) }).catch(() => {})
    const [from, to] = there ? [`${at}/tree`, '/tree'] : ['/tree', `${at}/tree`]
    const acting = [
      ask('POST', '/api/jobs', JSON.stringify({ kind: 'move', items: [{ from, to }] })),
      ask('PATCH', `/api/resources${at}/big?action=copy&destination=${at}/big${round}`),
      ask('POST', `/api/resources${at}/up${round}`, 'x'.repeat(MIB)),
      ...(round > 0 ? [ask('DELETE', `/api/resources${at}/big${round - 1}?permanent=true`)] : []),
    ]
    await new Promise(resolve => setTimeout(resolve, dice.roll() * 500))
    await server.end('SIGKILL')
    await Promise.all(acting)
    server = await startServer({ home: server.home, root: server.root, args })
    const first = await du(folder)
    for (const { used, reserved } of await meters()) expect(used + reserved).toBeGreaterThanOrEqual(first.bytes)
    const isIdle = async () =>
      (json(await send(server, 'GET', '/api/jobs', admin.token)) as Job[]).every(({ state }) => OVER.includes(state))
    await expect.poll(isIdle, { timeout: 60_000 }).toBe(true)
    const isExact = async () => (await meters()).every(({ exact, reserved }) => exact && reserved === 0)
    await expect.poll(isExact, { timeout: 60_000 }).toBe(true)
    const now = await du(folder)
    for (const { used } of await meters()) expect(used).toBe(now.bytes)
    const [home, mount] = await Promise.all([sizesIn([join(server.root, 'tree')]), sizesIn([join(folder, 'tree')])])
    there = mount.size > 0
    // The source goes only once all of it has arrived.
    expect([home.size, mount.size].filter(size => size === 200).length).toBeGreaterThan(0)
    for (const [name, size] of there ? mount : home) expect(size).toBe(Number(name) * 10)
    if (home.size > 0 && mount.size > 0) {
      await rm(join(folder, 'tree'), { recursive: true })
      there = false
      await send(server, 'POST', '/api/quotas/recount', admin.token)
      await expect.poll(isExact, { timeout: 60_000 }).toBe(true)
    }
  }
}, 3_600_000)
