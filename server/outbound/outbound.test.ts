import type { lookup as lookUp } from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { LIMITS } from '../limits.ts'
import { isPublicAddress } from './addresses.ts'
import { Outbound } from './outbound.ts'

/** A resolver whose answers change with each question. */
function resolver(...answers: string[][]): typeof lookUp {
  let asked = 0
  const answer = (_host: string, _options: unknown, give: (error: null, found: object[]) => void) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? []
    give(
      null,
      addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return answer as unknown as typeof lookUp
}

const request = (url: string) => ({ url, method: 'POST' as const, headers: {}, body: '' })

async function startServer(handler: Parameters<typeof createServer>[1]) {
  const server = createServer(handler as never)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

test.each(['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111'])('%s is on the Internet', address => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '192.0.2.1', '192.168.1.1'],
  ...['198.18.0.1', '224.0.0.1', '255.255.255.255', '::', '::1', '::ffff:1.1.1.1', '64:ff9b::101:101', 'fe80::1'],
  ...['fe80::1%eth0', 'fc00::1', 'ff02::1', '2001::1', '2001:db8::1', '2002:a00:1::', '3fff::1', 'no address'],
])('NET-01 %s is not', address => {
  expect(isPublicAddress(address)).toBe(false)
})

test('NET-02 WH-02 a name that leads to a private address later is refused when it does', async () => {
  const outbound = new Outbound({ networks: [], lookup: resolver(['1.1.1.1'], ['127.0.0.1']) })
  await outbound.check('https://example.org/')
  await expect(outbound.call(request('https://example.org/'))).rejects.toMatchObject({ fault: 'address' })
})

test('NET-03 a name with one private address among public ones is refused', async () => {
  const outbound = new Outbound({ networks: [], lookup: resolver(['1.1.1.1', '10.0.0.1']) })
  await expect(outbound.check('https://example.org/')).rejects.toThrow('not on the Internet')
  await expect(outbound.call(request('https://example.org/'))).rejects.toMatchObject({ fault: 'address' })
})

test('a name in a network of the host is called, also by plain HTTP and at any port', async () => {
  const url = await startServer((_request, response) => void response.end('here'))
  const outbound = new Outbound({ networks: ['127.0.0.0/8'], lookup: resolver(['127.0.0.1']) })
  const { port } = new URL(url)
  expect(await outbound.call(request(`http://inside.example:${port}/`))).toMatchObject({ status: 200, text: 'here' })
})

test('a receiver that does not listen is a failure with its reason', async () => {
  const outbound = new Outbound({ networks: ['127.0.0.1'] })
  await expect(outbound.call(request('http://127.0.0.1:1/'))).rejects.toMatchObject({
    fault: 'connection',
    message: 'ECONNREFUSED',
  })
})

test('NET-04 an answer that trickles ends with the time for the whole, and an endless one at its limit', async () => {
  const url = await startServer(({ url: path }, response) => {
    if (path === '/endless') {
      const fill = () => {
        while (!response.destroyed && response.write('x'.repeat(16_384)));
      }
      response.on('drain', fill)
      return fill()
    }
    if (path === '/silent') return
    const trickle = setInterval(() => response.write('x'), 200)
    response.on('close', () => clearInterval(trickle))
  })
  const outbound = new Outbound({ networks: ['127.0.0.1'] })
  expect((await outbound.call(request(`${url}endless`))).text).toBe('x'.repeat(LIMITS.outboundAnswer))
  const began = performance.now()
  const slow = await Promise.allSettled(['trickle', 'silent'].map(path => outbound.call(request(`${url}${path}`))))
  for (const ended of slow) expect(ended).toMatchObject({ status: 'rejected', reason: { fault: 'timeout' } })
  expect(performance.now() - began).toBeLessThan(LIMITS.outboundTime + 3000)
}, 30_000)
