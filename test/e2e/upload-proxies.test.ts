import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from './fixtures.ts'
import { choose, makeFile, sha256, test } from './sending.ts'

test('a proxy with a small body limit gets small chunks', async ({ app, page, corner, local }) => {
  const most = 1_000_000
  let refused = 0
  await page.route(/\/api\/(tus|resources)\//, (route, request) => {
    const size = request.postDataBuffer()?.length ?? 0
    if (size <= most) return route.continue()
    refused += 1
    return route.fulfill({ status: 413, body: 'too large' })
  })
  const hashes = await Promise.all([
    makeFile(join(local, 'a.bin'), 3_000_000),
    makeFile(join(local, 'b.bin'), 12_000_000),
  ])
  await app.openFolder(corner.path)
  await choose(app, 'Files', [join(local, 'a.bin'), join(local, 'b.bin')])
  await expect(app.row('b.bin')).toBeVisible({ timeout: 20_000 })
  await app.uploadsEnd()
  const arrived = await Promise.all(['a.bin', 'b.bin'].map(name => readFile(join(corner.disk, name))))
  expect(arrived.map(sha256)).toEqual(hashes)
  expect(refused).toBeLessThan(8)
})

test('behind a proxy without support for chunks the file is sent as a whole, and the visitor is notified', async ({
  app,
  page,
  corner,
  local,
}) => {
  await page.route(/\/api\/tus\//, (route, request) =>
    request.method() === 'PATCH' ? route.fulfill({ status: 405, body: 'not allowed' }) : route.continue(),
  )
  const hash = await makeFile(join(local, 'a.bin'), 12_000_000)
  await app.openFolder(corner.path)
  await choose(app, 'Files', join(local, 'a.bin'))
  await expect(page.getByText('Files are sent in one request')).toBeVisible()
  await expect(app.row('a.bin')).toBeVisible({ timeout: 20_000 })
  expect(sha256(await readFile(join(corner.disk, 'a.bin')))).toBe(hash)
})
