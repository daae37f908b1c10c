import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fastify } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { waitForSlowClients } from './slow-clients.ts'

/** Milliseconds without a byte after which a connection is looked at. */
const IDLE = 100

const app = fastify({ connectionTimeout: IDLE })
waitForSlowClients(app)
app.post('/copy', async () => {
  await pause(5 * IDLE)
  return 'done'
})
await app.listen({ host: '127.0.0.1', port: 0 })
afterAll(() => app.close())
const { port } = app.server.address() as AddressInfo

/** Sends text, and waits for the end of the connection. @returns what was answered */
async function answerTo(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', chunk => {
    answer += chunk
  })
  socket.write(text)
  await once(socket, 'close')
  return answer
}

test('a client that waits for a long operation gets its answer', async () => {
  const head = 'POST /copy HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
  expect(await answerTo(head)).toMatch(/^HTTP\/1.1 200 [^]*done$/)
})

test.each([
  ['nothing', ''],
  [
    'a part of its request',
    'POST /copy HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\nx',
  ],
])('a client that sends %s and falls silent is disconnected', async (_, text) => {
  expect(await answerTo(text)).toBe('')
})
