import { expect, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import { fitInto, OVER } from './over-quota.ts'
import type { NewJob } from './queue.ts'

const job = (size: number, existing?: number): NewJob => ({
  path: parsePath(`/f${size}`),
  file: new File(['x'.repeat(size)], 'f'),
  existing: existing === undefined ? undefined : { size: existing, modified: 0, isDir: false },
})

test('files go in as long as they fit, a replaced one gives its room back, and what lacks is added up', () => {
  const jobs = [job(30), job(50), job(20), job(40, 35), job(9)]
  const { fitting, lacks } = fitInto(60, jobs)
  expect(fitting.map(({ failure }) => failure === OVER)).toEqual([false, true, false, false, true])
  expect(lacks).toBe(54)
  expect(fitInto(200, jobs)).toEqual({ fitting: jobs, lacks: 0 })
})
