import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { call, claimsOf, json } from '../api/client.ts'
import { ANONYMOUS, expect } from './fixtures.ts'
import { choose, makeFile, network, sent, sha256, slowDown, test } from './sending.ts'

test.use({ storageState: ANONYMOUS })

test('an upload survives the renewal and the end of its session, without a second prompt or sending anything twice', async ({
  app,
  page,
  server,
  corner,
  local,
}) => {
  const hash = await makeFile(join(local, 'big.bin'), 50_000_000)
  await writeFile(join(corner.disk, 'big.bin'), 'old')
  const offsets: number[] = []
  const asked: string[] = []
  page.on('request', request => {
    if (request.method() === 'PATCH') offsets.push(Number(request.headers()['upload-offset']))
    if (request.url().endsWith('/api/renew')) asked.push('renew')
  })
  await app.open(`/files${corner.path}/`)
  await app.logIn(server.adminPassword)
  await app.settled()
  const session = await network(page)
  await slowDown(session, 6_000_000)
  await choose(app, 'Files', join(local, 'big.bin'))
  await app.dialog.getByRole('combobox').selectOption('Replace')
  await app.button('Continue').click()
  const tokenNow = () => page.evaluate(() => localStorage.getItem('jwt') ?? '')
  await expect.poll(() => sent(app)).toBeGreaterThan(11)

  const token = await tokenNow()
  const { id } = claimsOf(token).user
  const user = json(await call(server, `/api/users/${id}`, { token }))
  const body = JSON.stringify({ what: 'user', which: ['dateFormat'], data: { id, dateFormat: !user.dateFormat } })
  await call(server, `/api/users/${id}`, { method: 'PUT', token, body })
  await expect.poll(() => asked).toEqual(['renew'])
  await expect.poll(() => sent(app)).toBeGreaterThan(21)

  await call(server, '/api/logout', { method: 'POST', token: await tokenNow() })
  await expect(page.getByText('Your session has ended.')).toBeVisible()
  await slowDown(session, -1)
  await app.logIn(server.adminPassword)
  await app.isAt(`/files${corner.path}/`)
  await app.uploadsEnd()
  await expect(app.dialog).toHaveCount(0)
  expect(sha256(await readFile(join(corner.disk, 'big.bin')))).toBe(hash)
  expect(await readdir(corner.disk)).toEqual(['big.bin'])
  expect(offsets.filter(offset => offset === 0)).toHaveLength(1)
})
