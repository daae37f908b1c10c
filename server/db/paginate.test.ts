import { expect, test } from 'vitest'
import { inPages, PAGE } from './paginate.ts'

test('a long list is complete and in order, and other requests run in between', async () => {
  const ids = Array.from({ length: 2 * PAGE }, (_, index) => index + 1)
  const asked: (number | undefined)[] = []
  let ticks = 0
  const page = async (after: number | undefined) => {
    asked.push(after)
    setImmediate(() => (ticks += 1))
    return ids.slice(after ?? 0, (after ?? 0) + PAGE)
  }
  expect(await inPages(page, id => -id)).toEqual(ids.map(id => -id))
  expect(asked).toEqual([undefined, PAGE, 2 * PAGE])
  expect(ticks).toBe(2)
})
