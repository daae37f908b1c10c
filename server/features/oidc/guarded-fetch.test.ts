import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { LIMITS } from '../../limits.ts'
import { guardedFetch } from './guarded-fetch.ts'

/** A provider on this machine. @returns its address */
async function provider(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('sends a form as it is, with its length and the name of the server', async () => {
  const origin = await provider((request, response) => {
    void text(request).then(content => {
      response.setHeader('Content-Type', 'application/json')
      response.end(JSON.stringify({ ...request.headers, method: request.method, body: content }))
    })
  })
  const body = new URLSearchParams({ code: 'ä b' })
  const response = await guardedFetch(new URL(origin), 'Filigree/1')(`${origin}/token`, { method: 'POST', body })
  expect(response.headers.get('content-type')).toBe('application/json')
  expect(await response.json()).toMatchObject({
    ...{ method: 'POST', body: 'code=%C3%A4+b', 'user-agent': 'Filigree/1', 'content-length': '13' },
    'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
  })
})

test.each([
  ['a redirect', 302, ''],
  ['an error', 503, ''],
  ['an answer that is too long', 200, 'x'.repeat(LIMITS.providerAnswer + 1)],
])('takes %s for an absence', async (_what, status, body) => {
  const origin = await provider((_request, response) => {
    response.writeHead(status, { Location: 'http://127.0.0.1:1/' }).end(body)
  })
  await expect(guardedFetch(new URL(origin), 'x')(origin)).rejects.toMatchObject({ problem: 'away' })
})

test('an issuer on the Internet leads to no private address, whatever its description names', async () => {
  let calls = 0
  const origin = await provider((_request, response) => {
    calls += 1
    response.end('{}')
  })
  const fetch = guardedFetch(new URL('https://issuer.example'), 'x')
  for (const url of [origin, origin.replace('http:', 'https:'), 'https://10.0.0.1/keys', 'https://169.254.169.254/']) {
    await expect(fetch(url)).rejects.toMatchObject({ problem: 'away' })
  }
  expect(calls).toBe(0)
})
