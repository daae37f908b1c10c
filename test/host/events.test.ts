import { expect, test } from 'vitest'
import { call, encode, person } from '../wire/client.ts'
import { serve } from '../wire/instance.ts'

const server = await serve()

/** Streams a user may have open at a time. */
const MOST = 32

async function openStream(token: string, folder: string) {
  const stop = new AbortController()
  const address = `${server.url}/api/events?folder=${encode(folder)}`
  const response = await fetch(address, { headers: { 'X-Auth': token }, signal: stop.signal })
  const stream = { status: response.status, ended: false, leave: () => stop.abort() }
  const end = () => {
    stream.ended = true
  }
  void response.text().then(end, () => {})
  return stream
}

test('a stream of events ends with its session, and those of other sessions go on', async () => {
  const [one, two] = [await person(server), await person(server)]
  const [first, second] = [await openStream(one.token, '/'), await openStream(two.token, '/')]
  await call(server, '/api/logout', { method: 'POST', token: one.token })
  await expect.poll(() => first.ended, { timeout: 5000 }).toBe(true)
  expect(second.ended).toBe(false)
  second.leave()
})

test('as many streams as one user may have are opened, also when all are asked for at once', async () => {
  const { token } = await person(server)
  const streams = await Promise.all(Array.from({ length: MOST + 8 }, () => openStream(token, '/')))
  expect(streams.filter(({ status }) => status === 429)).toHaveLength(8)
  for (const { leave } of streams) leave()
  await expect.poll(async () => (await openStream(token, '/none')).status).toBe(404)
})
