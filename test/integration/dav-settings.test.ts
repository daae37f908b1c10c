import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openDav } from './dav-place.ts'

const { dav, root } = await openDav('--davInfinity=false', '--davLockTime', '2h')
await mkdir(join(root, 'docs/deep'), { recursive: true })
await writeFile(join(root, 'docs/a.txt'), 'content')

const LOCKINFO =
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'

test.each([{ Depth: 'infinity' }, {}])(
  'with davInfinity=false a folder is not listed with all levels: %j',
  async headers => {
    const answer = await dav('PROPFIND', '/docs', { headers })
    expect(answer.status).toBe(403)
    expect(answer.body.toString()).toContain('<D:propfind-finite-depth/>')
    expect(answer.body.toString()).not.toContain('a.txt')
  },
)

test('with davInfinity=false one level and files are listed all the same', async () => {
  expect((await dav('PROPFIND', '/docs', { headers: { Depth: '1' } })).body.toString()).toContain('/dav/docs/a.txt<')
  expect((await dav('PROPFIND', '/docs/a.txt', { headers: { Depth: 'infinity' } })).status).toBe(207)
})

test.each([
  ['Infinite', 7200],
  ['Second-86400', 7200],
  ['Second-5400', 5400],
  ['Second-1', 60],
])('with davLockTime=2h a lock for %s lasts %i seconds', async (timeout, seconds) => {
  const answer = await dav('LOCK', '/docs/a.txt', { body: LOCKINFO, headers: { Timeout: timeout } })
  expect(answer.body.toString()).toContain(`<D:timeout>Second-${seconds}</D:timeout>`)
  const token = answer.headers['lock-token'] ?? ''
  expect((await dav('UNLOCK', '/docs/a.txt', { headers: { 'Lock-Token': token } })).status).toBe(204)
})
