import { expect, test } from 'vitest'
import { parsePath } from '../../../shared/path.ts'
import type { NewJob } from './queue.ts'
import { fitInto } from './room.ts'

const job = (size: number, existing?: number): NewJob => ({
  path: parsePath(`/f${size}`),
  file: new File(['x'.repeat(size)], 'f'),
  existing: existing === undefined ? undefined : { size: existing, modified: 0, isDir: false },
})

test.each(['quota', 'noSpace'] as const)(
  'files go in as long as they fit, a replaced one gives its room back, and what lacks is added up: %s',
  reason => {
    const jobs = [job(30), job(50), job(20), job(40, 35), job(9)]
    const { fitting, refused, lacks } = fitInto({ left: 60, reason }, jobs)
    expect(fitting.map(({ failure }) => failure?.reason)).toEqual([undefined, reason, undefined, undefined, reason])
    expect([refused, lacks]).toEqual([2, 54])
    expect(fitInto({ left: 200, reason }, jobs)).toEqual({ fitting: jobs, refused: 0, lacks: 0 })
  },
)
