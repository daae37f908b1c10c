import { expect, it } from 'vitest'
import { timeAmong } from './time.ts'

it('versions of the same minute are told apart by their seconds, others have none', () => {
  const first = { id: 'a', modified: '2026-11-28T02:50:03Z' }
  const second = { id: 'b', modified: '2026-11-28T02:50:41Z' }
  const other = { id: 'c', modified: '2026-11-28T02:51:00Z' }
  const shown = [first, second, other].map(item => timeAmong([first, second, other], item, 'de'))
  expect(shown[0]).toMatch(/:50:03$/)
  expect(shown[1]).toMatch(/:50:41$/)
  expect(shown[2]).toMatch(/\d\d:51$/)
})
