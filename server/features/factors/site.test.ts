import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { siteOf } from './site.ts'

const requestOf = (protocol: string, host: string) => ({ protocol, host }) as FastifyRequest
const atRoot = { baseURL: '', publicURL: '' }

test('passkeys belong to the host name of the request, whatever the base URL', () => {
  const site = { rpId: 'files.example.org', origin: 'https://files.example.org:8443' }
  for (const baseURL of ['', '/a/b']) {
    expect(siteOf(requestOf('https', 'files.example.org:8443'), { ...atRoot, baseURL })).toEqual(site)
  }
})

test('passkeys belong to the public address where the host names one', () => {
  const config = { baseURL: '/a/b', publicURL: 'https://files.example.org/a/b' }
  const site = { rpId: 'files.example.org', origin: 'https://files.example.org' }
  expect(siteOf(requestOf('http', '10.0.0.7:8080'), config)).toEqual(site)
})

test('there are no passkeys at an IP address, nor without HTTPS except on this machine', () => {
  expect(siteOf(requestOf('http', 'localhost:8080'), atRoot)?.origin).toBe('http://localhost:8080')
  for (const [protocol, host] of [
    ['http', 'files.example.org'],
    ['http', '127.0.0.1:8080'],
    ['https', '10.0.0.7'],
    ['https', '[::1]:8443'],
  ] as const) {
    expect(siteOf(requestOf(protocol, host), atRoot)).toBeUndefined()
  }
})
