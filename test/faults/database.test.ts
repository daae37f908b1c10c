import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newUser, send } from '../api/accounts.ts'
import { call, json, person } from '../api/client.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { Dice } from '../fuzz/dice.ts'
import { SEED, size } from './sizes.ts'

/** Kills in total; whole: 200. */
const KILLS = size('KILLS', 12)
/** Kills per server start in the small form. */
const ROUNDS = Math.max(3, Math.round(KILLS / 3))
/** Milliseconds within which a server is killed after it stored something. */
const WINDOW = 400

/** What a server has acknowledged. */
interface Stored {
  users: string[]
  links: string[]
  /** The name of the installation. */
  name: string
}

/** Stores one item after the other until the server is killed. */
async function store(server: OwnServer, token: string, round: number, stored: Stored): Promise<void> {
  const settings = json(await call(server, '/api/settings', { token }))
  for (let index = 0; ; index += 1) {
    const [username, name] = [`u${round}-${index}`, `name ${round}-${index}`]
    const data = newUser(username)
    const made = await send(server, 'POST', '/api/users', token, { what: 'user', which: [], data })
    if (made.status === 201) stored.users.push(username)
    const link = await send(server, 'POST', '/api/share/', token, {})
    if (link.status === 200) stored.links.push(json(link).hash)
    const branding = { ...settings.branding, name }
    if ((await send(server, 'PUT', '/api/settings', token, { ...settings, branding })).status === 200)
      stored.name = name
  }
}

function demandSound(path: string): void {
  const database = new DatabaseSync(path)
  expect(database.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  database.close()
}

test(`DB-01 OPS-03 through ${ROUNDS} kills at random moments the database stays valid, with all acknowledged writes`, async () => {
  let server = await startServer()
  onTestFinished(() => server.stop())
  const { token } = await person(server)
  const dice = new Dice(SEED)
  const stored: Stored = { users: [], links: [], name: '' }
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = stored.users.length
    const storing = store(server, token, round, stored).catch(() => undefined)
    await vi.waitUntil(() => stored.users.length > before, 60_000)
    await new Promise(resolve => setTimeout(resolve, dice.below(WINDOW)))
    await server.end('SIGKILL')
    await storing
    demandSound(server.database)
    server = await startServer({ home: server.home, root: server.root })
    const users = json(await call(server, '/api/users', { token })).map(
      ({ username }: { username: string }) => username,
    )
    expect(stored.users.filter(name => !users.includes(name))).toEqual([])
    const links = json(await call(server, '/api/shares', { token })).map(({ hash }: { hash: string }) => hash)
    expect(stored.links.filter(hash => !links.includes(hash))).toEqual([])
    const { branding } = json(await call(server, '/api/settings', { token }))
    const [, at = -1, index = -1] = /^name (\d+)-(\d+)$/.exec(branding.name) ?? []
    const [, saidAt = -1, said = -1] = /^name (\d+)-(\d+)$/.exec(stored.name) ?? []
    expect(Number(at) * 1e6 + Number(index)).toBeGreaterThanOrEqual(Number(saidAt) * 1e6 + Number(said))
  }
  expect(stored.users.length).toBeGreaterThanOrEqual(ROUNDS)
}, 3_600_000)
