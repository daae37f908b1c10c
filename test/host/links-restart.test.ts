import { expect, test } from 'vitest'
import { manager } from '../wire/accounts.ts'
import { json } from '../wire/client.ts'
import { serve } from '../wire/instance.ts'
import { linkTo, load, look, withPassword } from '../wire/links-client.ts'
import { newSharer } from '../wire/sharers.ts'

test('links and their tokens outlive a restart', async () => {
  const first = await serve()
  const bob = await newSharer(first, await manager(first))
  const { hash } = await linkTo(first, bob.token, '/docs', { password: 'kept' })
  const { token } = json(await look(first, hash, '', '', withPassword('kept')))
  await first.end()
  const second = await serve({ home: first.home })
  expect((await load(second, hash, '/one.txt', `?token=${token}`)).text).toBe('docs/one.txt')
})
