import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Request, Route } from '@playwright/test'
import { manager } from '../api/accounts.ts'
import { startServer } from '../api/harness.ts'
import { App } from './app.ts'
import { expect } from './fixtures.ts'
import { choose, makeFile, sha256, test } from './sending.ts'

const PIECE = 100_000
const WRONG_SUM = `sha256 ${Buffer.alloc(32).toString('base64')}`

/** A middlebox's change to a request; undefined to pass it on unchanged. */
type Corruption = (request: Request, nth: number) => Parameters<Route['continue']>[0]

const changed = (request: Request, headers: Record<string, string>) => ({
  headers: { ...request.headers(), ...headers },
})
const isPiece = (request: Request) => request.method() === 'PATCH'

/** By file name: what is corrupted, and the panel's final message. */
const CORRUPTIONS: Readonly<Record<string, readonly [corrupt: Corruption, says: string | undefined]>> = {
  'offset once.bin': [
    (request, nth) => (isPiece(request) && nth === 1 ? changed(request, { 'upload-offset': '7' }) : undefined),
    undefined,
  ],
  'checksum once.bin': [
    (request, nth) => (isPiece(request) && nth === 1 ? changed(request, { 'upload-checksum': WRONG_SUM }) : undefined),
    undefined,
  ],
  'checksum always.bin': [
    request => (isPiece(request) ? changed(request, { 'upload-checksum': WRONG_SUM }) : undefined),
    'It was corrupted in transit.',
  ],
  'no length.bin': [
    request => (request.method() === 'POST' ? changed(request, { 'upload-length': '-1' }) : undefined),
    'The server refused it: The server rejected this request.',
  ],
  'too long.bin': [
    request => (isPiece(request) ? { postData: Buffer.alloc(3 * PIECE), ...changed(request, SUM_OF_MUCH) } : undefined),
    'The file is too large.',
  ],
  'method.bin': [
    request => (isPiece(request) ? { method: 'PUT' } : undefined),
    'The server refused it: The server rejected this request.',
  ],
  'type.bin': [
    request => (isPiece(request) ? changed(request, { 'content-type': 'text/plain' }) : undefined),
    'The server refused it: The server rejected this request.',
  ],
}
const SUM_OF_MUCH = {
  'upload-checksum': `sha256 ${Buffer.from(sha256(Buffer.alloc(3 * PIECE)), 'hex').toString('base64')}`,
}

test('data corrupted in transit is sent again or reported in the panel, and all other uploads continue', async ({
  page,
  local,
  server,
}) => {
  const own = await startServer({ base: server.base })
  await (await manager(own)).change({ tus: { chunkSize: PIECE, retryCount: 5 } })
  const names = [...Object.keys(CORRUPTIONS), 'untouched.bin']
  const hashes = new Map<string, string>()
  for (const name of names) hashes.set(name, await makeFile(join(local, name), 2.5 * PIECE))
  const seen = new Map<string, number>()
  await page.route('**/api/tus/**', (route, request) => {
    const name = decodeURIComponent(new URL(request.url()).pathname.split('/').at(-1) ?? '')
    const key = `${request.method()} ${name}`
    const nth = (seen.get(key) ?? 0) + 1
    seen.set(key, nth)
    return route.continue(CORRUPTIONS[name]?.[0](request, nth))
  })
  const app = new App(page, own.url)
  await page.clock.install()
  await app.open('/login')
  await app.logIn(own.adminPassword)
  await app.settled()
  const paths = names.map(name => join(local, name))
  await choose(app, 'Files', paths)
  await expect
    .poll(async () => {
      // Failed uploads are retried after a while.
      await page.clock.fastForward(10_000)
      return app.uploads.textContent()
    })
    .toMatch(/3 uploaded\s· 5 failed/)
  for (const [name, [, says]] of Object.entries(CORRUPTIONS)) {
    const row = app.uploads.getByRole('listitem').filter({ hasText: name })
    if (says === undefined) await expect(row).toHaveCount(0)
    else await expect(row).toContainText(says)
  }
  await app.uploads.getByRole('button', { name: 'Dismiss', exact: true }).click()
  const arrived = names.filter(name => CORRUPTIONS[name]?.[1] === undefined).sort()
  await expect.poll(async () => (await readdir(own.root)).sort()).toEqual(arrived)
  for (const name of arrived) expect(sha256(await readFile(join(own.root, name)))).toBe(hashes.get(name))
  await own.stop()
})
