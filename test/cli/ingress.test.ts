import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../server/config.ts'

const { behindIngress } = await import(fileURLToPath(new URL('../../deploy/docker/ingress.js', import.meta.url)))
const TOKEN = 'a token of the Supervisor'
const PREFIX = '/api/hassio_ingress/Zq3_-x9'

/** Answers as the Supervisor of Home Assistant does, which runs on no other system. */
async function supervisor(data: unknown): Promise<string> {
  const server = createServer(({ url, headers }, response) => {
    const isAsked = url === '/addons/self/info' && headers.authorization === `Bearer ${TOKEN}`
    response.writeHead(isAsked ? 200 : 403).end(JSON.stringify({ result: 'ok', data }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('an add-on with ingress has the prefix that the Supervisor names, trusts it alone, and is framed by its origin alone', async () => {
  const at = await supervisor({ ingress: true, ingress_entry: PREFIX })
  const variables = await behindIngress({ SUPERVISOR_TOKEN: TOKEN }, at)
  expect(readConfig([], variables)).toMatchObject({
    baseURL: PREFIX,
    prefixStripped: true,
    trustedProxies: ['172.30.32.2'],
    frameAncestors: ["'self'"],
  })
})

test('an add-on with a port of its own, and every other container, stays as it is', async () => {
  const at = await supervisor({ ingress: false, ingress_entry: null })
  expect(await behindIngress({ SUPERVISOR_TOKEN: TOKEN }, at)).toEqual({})
  expect(await behindIngress({}, at)).toEqual({})
})

test('XSS-10 an answer of the Supervisor that names no prefix of ingress ends the start', async () => {
  for (const prefix of [undefined, '', '/', '//evil.example/', `${PREFIX}/../..`, `${PREFIX}; script-src *`]) {
    const at = await supervisor({ ingress: true, ingress_entry: prefix })
    await expect(behindIngress({ SUPERVISOR_TOKEN: TOKEN }, at)).rejects.toThrow('names no prefix')
  }
  const at = await supervisor({})
  await expect(behindIngress({ SUPERVISOR_TOKEN: 'another' }, at)).rejects.toThrow('answers 403')
})
