import { expect, it } from 'vitest'
import { shareOf } from './progress.ts'

const job = (bytes: number, bytesTotal?: number) => ({
  progress: { bytes, entries: 0, ...(bytesTotal === undefined ? {} : { bytesTotal }) },
})
const count = { total: 4, done: 1, skipped: 0, failed: 1, cancelled: 0 }

it('takes the bytes for the share, else the items, and says nothing of a single one', () => {
  expect(shareOf({ ...job(25, 100), count })).toBe(0.25)
  expect(shareOf({ ...job(25), count })).toBe(0.5)
  expect(shareOf({ ...job(25), count: { ...count, total: 1 } })).toBeUndefined()
})
