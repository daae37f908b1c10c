import type { lookup as lookUp } from 'node:dns'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createPlainServer, type Server, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { startNameServer } from '../../test/webhooks/name-server.ts'
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

/** A receiver on this machine. @returns its address, and the number of connections to it */
async function startServer(handler: RequestListener, { host = '127.0.0.1', port = 0 } = {}) {
  const server = createServer(handler)
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  await listening(server, host, port)
  return { url: `http://${host}:${portOf(server)}/`, port: portOf(server), connections: () => connections }
}

/** Sends and receives bytes as they are. */
async function startRaw(handler: (socket: Socket) => void): Promise<number> {
  const server = createPlainServer(socket => handler(socket.on('error', () => {})))
  await listening(server, '127.0.0.1', 0)
  return portOf(server)
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

async function listening(server: Server, host: string, port: number): Promise<void> {
  const sockets = new Set<Socket>()
  server.on('connection', socket => sockets.add(socket))
  await new Promise<void>(resolve => server.listen(port, host, resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
}

test.each(['1.1.1.1', '8.8.8.8', '2606:4700:4700::1111'])('%s is on the Internet', address => {
  expect(isPublicAddress(address)).toBe(true)
})

/** The first and the last address of each range in the registries of special addresses of IANA, and of multicast. */
const SPECIAL = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['::', '::1'],
  ['::ffff:0:0', '::ffff:ffff:ffff'],
  ['64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
] as const

/** All ways in which a URL may write an address, also those of IPv6 that carry one of IPv4. */
function spellingsOf(address: string): string[] {
  if (address.includes(':')) return [`[${address}]`]
  const bytes = address.split('.').map(Number)
  const hex = Buffer.from(bytes).toString('hex')
  const [high, low] = [hex.slice(0, 4), hex.slice(4)]
  const octal = bytes.map(byte => `0${byte.toString(8)}`).join('.')
  const carrying = [`::${address}`, `::ffff:${address}`, `::ffff:0:${address}`, `64:ff9b::${address}`]
  const tunnelled = [`2002:${high}:${low}::1`, `2001:0:${high}:${low}::1`]
  return [address, `${address}.`, String(Number.parseInt(hex, 16)), `0x${hex}`, octal].concat(
    [...carrying, ...tunnelled].map(one => `[${one}]`),
  )
}

const noLookup = (() => expect.fail('an address is not looked up')) as unknown as typeof lookUp

test.each(SPECIAL)(
  'NET-01 no request is sent from %s to %s, however written, and to no name that leads there',
  async (...ends) => {
    for (const address of ends) {
      expect(isPublicAddress(address)).toBe(false)
      for (const host of spellingsOf(address)) {
        const [url, outbound] = [`https://${host}/`, new Outbound({ networks: [], lookup: noLookup })]
        await expect(outbound.check(url), url).rejects.toMatchObject({ code: 'bad_request' })
        await expect(outbound.call(request(url)), url).rejects.toMatchObject({ fault: 'address' })
      }
      for (const found of address.includes(':') ? [address] : [address, `::ffff:${address}`]) {
        const named = new Outbound({ networks: [], lookup: resolver([found]) })
        await expect(named.check('https://name.example/'), found).rejects.toMatchObject({ code: 'bad_request' })
        await expect(named.call(request('https://name.example/')), found).rejects.toMatchObject({ fault: 'address' })
      }
    }
  },
)

test.each(['fe80::1%eth0', 'no address', ''])('NET-01 %s is not on the Internet', address => {
  expect(isPublicAddress(address)).toBe(false)
})

test('NET-02 a name that leads to a private address later is refused when it does', async () => {
  const outbound = new Outbound({ networks: [], lookup: resolver(['1.1.1.1'], ['127.0.0.1']) })
  await outbound.check('https://example.org/')
  await expect(outbound.call(request('https://example.org/'))).rejects.toMatchObject({ fault: 'address' })
})

test('NET-02 the addresses of a name server that change with each question are connected to only while permitted', async () => {
  const permitted = await startServer((_request, response) => void response.end('here'))
  const other = await startServer(() => expect.fail('not permitted'), { host: '127.0.0.2', port: permitted.port })
  const [good, bad] = ['127.0.0.1', '127.0.0.2']
  const lookup = await startNameServer([good], [good], [bad], [good, bad], [bad, good], [good])
  const outbound = new Outbound({ networks: [good], lookup })
  const url = `http://name.example:${permitted.port}/`
  await outbound.check(url)
  expect(await outbound.call(request(url))).toMatchObject({ status: 200 })
  for (let turn = 0; turn < 3; turn += 1)
    await expect(outbound.call(request(url))).rejects.toMatchObject({ fault: 'address' })
  expect(await outbound.call(request(url))).toMatchObject({ status: 200 })
  expect([permitted.connections(), other.connections()]).toEqual([2, 0])
})

test.each([
  [['1.1.1.1', '10.0.0.1']],
  [['10.0.0.1', '1.1.1.1']],
  [['2606:4700:4700::1111', '127.0.0.1']],
  [['1.1.1.1', '::1']],
  [['1.1.1.1', '2606:4700:4700::1111', 'fe80::1']],
])('NET-03 a name with one private address among public ones is refused: %s', async addresses => {
  const outbound = new Outbound({ networks: [], lookup: resolver(addresses) })
  await expect(outbound.check('https://example.org/')).rejects.toThrow('not on the Internet')
  await expect(outbound.call(request('https://example.org/'))).rejects.toMatchObject({ fault: 'address' })
})

test('a name in a network of the host is called, also by plain HTTP and at any port', async () => {
  const { port } = await startServer((_request, response) => void response.end('here'))
  const outbound = new Outbound({ networks: ['127.0.0.0/8'], lookup: resolver(['127.0.0.1']) })
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
  const { url } = await startServer(({ url: path }, response) => {
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
  const silent = await startRaw(() => {})
  const slow = await startRaw(socket => {
    socket.write('HTTP/1.1 200 OK\r\nX-Slow: ')
    const trickle = setInterval(() => void socket.write('x'), 200)
    socket.on('close', () => clearInterval(trickle))
  })
  const outbound = new Outbound({ networks: ['127.0.0.1'] })
  expect((await outbound.call(request(`${url}endless`))).text).toBe('x'.repeat(LIMITS.outboundAnswer))
  const targets = [`${url}trickle`, `${url}silent`, `http://127.0.0.1:${slow}/`, `https://127.0.0.1:${silent}/`]
  const ends = await Promise.allSettled(targets.map(target => outbound.call(request(target))))
  for (const ended of ends) expect(ended).toMatchObject({ status: 'rejected', reason: { fault: 'timeout' } })
})

test('NET-04 headers without an end are a failure', async () => {
  const endless = await startRaw(socket => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const fill = () => {
      while (socket.writable && socket.write(`X-Fill: ${'x'.repeat(1024)}\r\n`));
    }
    socket.on('drain', fill)
    fill()
  })
  const outbound = new Outbound({ networks: ['127.0.0.1'] })
  const call = outbound.call(request(`http://127.0.0.1:${endless}/`))
  await expect(call).rejects.toMatchObject({ fault: 'connection', message: 'HPE_HEADER_OVERFLOW' })
})

test('a target that the host names may be in a private network, and others may not', async () => {
  const { url, port, connections } = await startServer((_request, response) => response.end('here'))
  const named = new Outbound({ networks: [], named: ['name.example'], lookup: resolver(['127.0.0.1']) })
  expect(await named.call(request(`http://name.example:${port}/`))).toMatchObject({ status: 200, text: 'here' })
  await expect(named.call(request(`http://other.example:${port}/`))).rejects.toMatchObject({ fault: 'address' })
  await expect(named.call(request(url))).rejects.toMatchObject({ fault: 'address' })
  expect(connections()).toBe(1)
})

test('a target that the host names and that is on the Internet is called by HTTPS only, at any port', async () => {
  const named = new Outbound({ networks: [], named: ['name.example'], lookup: resolver(['1.1.1.1']) })
  await expect(named.check('http://name.example/')).rejects.toMatchObject({ code: 'bad_request' })
  await expect(named.check('https://name.example:9443/')).resolves.toBeUndefined()
})
