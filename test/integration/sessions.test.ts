import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { call, claimsOf, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'

test('an expired token is answered with 401', async () => {
  const brief = await serve({ args: ['--tokenExpirationTime', '1s'] })
  const fresh = await signIn(brief)
  const { exp } = claimsOf(fresh)
  await wait(exp * 1000 - Date.now() + 50)
  expect((await call(brief, '/api/resources/', { token: fresh })).status).toBe(401)
  expect((await call(brief, '/api/renew', { method: 'POST', token: fresh })).status).toBe(401)
})

test('a token that expires soon is due for renewal', async () => {
  const brief = await serve({ args: ['--tokenExpirationTime', '8s'] })
  const fresh = await signIn(brief)
  const { exp } = claimsOf(fresh)
  await wait(exp * 1000 - Date.now() - 3500)
  const answer = await call(brief, '/api/resources/', { token: fresh })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('x-renew-token')).toBe('true')
})

test('the host can disable tokens in URLs', async () => {
  const strict = await serve({ args: ['--disableQueryToken'] })
  await writeFile(join(strict.root, 'a.txt'), 'alpha')
  const own = await signIn(strict)
  expect((await call(strict, `/api/raw/a.txt?auth=${own}`)).status).toBe(401)
  expect((await call(strict, '/api/raw/a.txt', { token: own })).status).toBe(200)
})

test('a session survives a restart of the server', async () => {
  const first = await serve()
  const own = await signIn(first)
  expect(await first.end()).toBe(0)
  const second = await serve({ home: first.home })
  expect((await call(second, '/api/resources/', { token: own })).status).toBe(200)
})
