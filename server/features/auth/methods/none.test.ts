import { expect, test } from 'vitest'
import { conformance } from '../conformance.ts'
import { attempt, openGround, settingsOf } from '../test-ground.ts'
import { noMethod } from './none.ts'

conformance('nothing', async ({ db }) => ({
  method: noMethod(db),
  settings: settingsOf({ method: 'noauth' }),
  good: attempt('', ''),
  user: 'admin',
}))

test('without its user nobody gets in', async () => {
  const ground = await openGround()
  await ground.db.deleteFrom('users').where('id', '=', 1).execute()
  const refused = noMethod(ground.db).authenticate(attempt('', ''), settingsOf({}))
  await expect(refused).rejects.toMatchObject({ code: 'unavailable' })
  await ground.close()
})
