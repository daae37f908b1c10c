import { expect, test } from 'vitest'
import { call } from '../api/client.ts'
import { serve } from '../api/instance.ts'

const server = await serve({ args: ['--frameAncestors', 'self,https://home.example'] })

const ancestorsAt = async (path: string) => {
  const { headers } = await call(server, path)
  return /frame-ancestors [^;]*/.exec(headers.get('content-security-policy') ?? '')?.[0]
}

test('XSS-10 HDR-01 pages may be framed only by the origins that the host names, and nothing else may be framed', async () => {
  for (const page of ['/', '/login', '/share/abc', '/files/'])
    expect([page, await ancestorsAt(page)]).toEqual([page, "frame-ancestors 'self' https://home.example"])
  for (const other of ['/api/resources/', '/api/nowhere', '/static/index.js', '/health', '/docs/api'])
    expect([other, await ancestorsAt(other)]).toEqual([other, "frame-ancestors 'none'"])
})
