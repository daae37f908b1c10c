import { expect, test } from 'vitest'
import { conformance } from '../conformance.ts'
import { attempt, openFixture, settingsOf } from '../test-fixture.ts'
import { noMethod } from './none.ts'

conformance('nothing', async ({ db }) => ({
  method: noMethod(db),
  settings: settingsOf({ method: 'noauth' }),
  good: attempt('', ''),
  user: 'admin',
}))

test('without its user every sign-in fails', async () => {
  const fixture = await openFixture()
  await fixture.db.deleteFrom('users').where('id', '=', 1).execute()
  const refused = noMethod(fixture.db).authenticate(attempt('', ''), settingsOf({}))
  await expect(refused).rejects.toMatchObject({ code: 'unavailable' })
  await fixture.close()
})
