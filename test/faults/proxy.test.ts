import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { call, person } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { tusOf } from '../api/tus.ts'
import { hasNginx, startNginx } from './nginx.ts'

const MB = 1_000_000

describe.runIf(hasNginx)('behind a proxy with a body limit of 1 MB and a timeout of five seconds', async () => {
  const server = await serve()
  const proxy = await startNginx([server.url])
  afterAll(() => proxy.stop())
  const owner = await person({ ...server, url: proxy.url })

  test('a large body is refused by the proxy, with its own message', async () => {
    const headers = { 'X-Auth': owner.token }
    const refused = await call(proxy, '/api/resources/a.bin', { method: 'POST', headers, body: randomBytes(2 * MB) })
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([413, null])
  })

  test('an upload in small chunks succeeds, also when it takes longer than the timeout', async () => {
    const content = randomBytes(3 * MB)
    const tus = tusOf(proxy, owner)
    expect((await tus.create('/a.bin', content.length)).status).toBe(201)
    const began = Date.now()
    for (let offset = 0; offset < content.length; offset += MB / 2) {
      const piece = content.subarray(offset, offset + MB / 2)
      expect((await tus.patch('/a.bin', offset, piece)).status).toBe(204)
      await expect.poll(() => Date.now() - began).toBeGreaterThan((offset / content.length) * 6000)
    }
    expect((await readFile(join(server.root, 'a.bin'))).equals(content)).toBe(true)
  })

  test('a large download is complete', async () => {
    const content = randomBytes(30 * MB)
    await writeFile(join(server.root, 'large.bin'), content)
    const { bytes } = await owner.raw('/large.bin')
    expect(createHash('sha256').update(bytes).digest()).toEqual(createHash('sha256').update(content).digest())
  })

  test('a stream of events outlives the proxy’s timeout, and reports at once', async () => {
    const stop = new AbortController()
    const response = await fetch(`${proxy.url}/api/events?folder=/`, {
      headers: { 'X-Auth': owner.token },
      signal: stop.signal,
    })
    const seen = { text: '', ended: false }
    const reading = async () => {
      for await (const piece of response.body ?? []) seen.text += Buffer.from(piece).toString()
    }
    const end = () => {
      seen.ended = true
    }
    void reading().then(end, end)
    const began = Date.now()
    await expect.poll(() => Date.now() - began, { timeout: 30_000 }).toBeGreaterThan(12_000)
    expect(seen.ended).toBe(false)
    await writeFile(join(server.root, 'told.txt'), 'x')
    await expect.poll(() => seen.text).toContain('event: folder')
    stop.abort()
  })
})
