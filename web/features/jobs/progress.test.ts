import { expect, it } from 'vitest'
import { jobProgress } from './progress.ts'

const job = (bytes: number, bytesTotal?: number) => ({
  progress: { bytes, entries: 0, ...(bytesTotal === undefined ? {} : { bytesTotal }) },
})
const count = { total: 4, done: 1, skipped: 0, failed: 1, cancelled: 0 }

it('is the fraction of bytes, else of items, and undefined for a single item', () => {
  expect(jobProgress({ ...job(25, 100), count })).toBe(0.25)
  expect(jobProgress({ ...job(25), count })).toBe(0.5)
  expect(jobProgress({ ...job(25), count: { ...count, total: 1 } })).toBeUndefined()
})
