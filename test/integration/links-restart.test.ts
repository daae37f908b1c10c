import { expect, test } from 'vitest'
import { manager } from '../api/accounts.ts'
import { json } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { linkTo, load, viewShare, withPassword } from '../api/links-client.ts'
import { newSharer } from '../api/sharers.ts'

test('links and their tokens survive a restart', async () => {
  const first = await serve()
  const bob = await newSharer(first, await manager(first))
  const { hash } = await linkTo(first, bob.token, '/docs', { password: 'kept' })
  const { token } = json(await viewShare(first, hash, '', '', withPassword('kept')))
  await first.end()
  const second = await serve({ home: first.home })
  expect((await load(second, hash, '/one.txt', `?token=${token}`)).text).toBe('docs/one.txt')
})
