import { expect, test } from 'vitest'
import { quotaContent } from './quota-content.ts'

test('the mail about a quota has its numbers in its language', () => {
  const { values } = quotaContent({ percent: 80, used: 1.625 * 2 ** 30, limit: 2 * 2 ** 30 }, 'ann', 'de')
  expect(values).toMatchObject({ percent: '81\u00a0%', used: '1,6\u00a0GiB', limit: '2\u00a0GiB' })
})
