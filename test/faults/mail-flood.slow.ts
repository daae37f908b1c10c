import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { LIMITS } from '../../server/limits.ts'
import { GOOD_PASSWORD, manager, newcomer, perm, send } from '../api/accounts.ts'
import { call, encode, json } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { linkTo } from '../api/links-client.ts'
import { openSink, secretIn, withMail } from '../mail/sink.ts'
import { report } from './report.ts'
import { size } from './sizes.ts'

const RESETS = size('RESETS', 1000)
const ARRIVALS = size('ARRIVALS', 10_000)
const ACCOUNTS = 10
const AT_ONCE = 8

const sink = await openSink()
afterAll(() => sink.close())
const server = await serve({ args: ['--trustedProxies', '127.0.0.1', ...withMail(sink)] })
const admin = await manager(server)

const post = (path: string, body: object, from: string) =>
  call(server, path, { method: 'POST', body: JSON.stringify(body), headers: { 'X-Forwarded-For': from } })
const waiting = async () => json(await call(server, '/api/mail', { token: admin.token })).waiting

/** A user with a confirmed address. */
async function person(index: number) {
  const user = await newcomer(server, admin, {
    perm: perm('create', 'rename', 'modify', 'delete', 'share', 'download'),
  })
  const address = `user${index}@example.org`
  await send(server, 'PUT', '/api/account/mail', user.token, { address, current_password: GOOD_PASSWORD })
  await expect.poll(() => sink.to(address)).toHaveLength(1)
  const link = secretIn(sink.to(address)[0] ?? { text: '' })
  expect((await post('/api/mail-links/use', { link }, `192.0.2.${index}`)).status).toBe(204)
  return { ...user, address }
}

/** Runs some calls at once until all are done. */
async function all<T>(count: number, act: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < count; index = next++) results[index] = await act(index)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return results
}

test(`MAIL-06 ${RESETS} forgotten passwords from many networks are ${LIMITS.mailsTo} mails for each account`, async () => {
  const people = await Promise.all(Array.from({ length: ACCOUNTS }, (_, index) => person(index)))
  const statuses = await all(RESETS, async index => {
    const name = people[index % ACCOUNTS]?.name ?? ''
    const from = `10.${index >> 8}.${index % 256}.1`
    return (await post('/api/password-reset', { name }, from)).status
  })
  expect([...new Set(statuses)]).toEqual([202])
  await expect.poll(waiting).toBe(0)
  for (const { address } of people) expect(sink.to(address)).toHaveLength(1 + LIMITS.mailsTo)
  const one = people[0]?.name ?? ''
  const same = await all(100, async () => (await post('/api/password-reset', { name: one }, '198.51.100.7')).status)
  expect(same.filter(status => status === 202)).toHaveLength(LIMITS.resetsFrom)
  report(`${RESETS} resets: ${ACCOUNTS * LIMITS.mailsTo} mails`)
}, 900_000)

test(`MAIL-06 ${ARRIVALS} files that arrive by a link are one mail, and later ones the next`, async () => {
  const owner = await person(100)
  await call(server, '/api/resources/in/', { method: 'POST', token: owner.token })
  const { hash } = await linkTo(server, owner.token, '/in/', { kind: 'drop' })
  const began = Date.now()
  const statuses = await all(ARRIVALS, async index => {
    const headers = { 'Content-Type': 'application/offset+octet-stream', 'Upload-Length': '1' }
    const how = { method: 'POST', headers, body: 'x' }
    return (await call(server, `/api/public/tus/${hash}${encode(`/${index}.txt`)}`, how)).status
  })
  const took = Date.now() - began
  const refused = statuses.filter(status => status !== 201).length
  await wait(Math.max(0, LIMITS.firstDigestTime - took))
  const mails = () => sink.to(owner.address).slice(1)
  await expect.poll(() => mails().length, { timeout: 60_000 }).toBeGreaterThan(0)
  // The first one waits a minute for more; the next ones a quarter of an hour.
  expect(mails().length).toBeLessThanOrEqual(1 + Math.floor(took / LIMITS.digestTime))
  report(`${ARRIVALS} arrivals in ${Math.round(took / 1000)} s, ${refused} refused: ${mails().length} mail`)
}, 3_600_000)
