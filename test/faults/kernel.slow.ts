import { expect, test } from 'vitest'
import { kernelState } from '../../server/storage/local/kernel/open-kernel.ts'
import { fuzzKernel } from '../fuzz/kernel-process.ts'
import { report } from './report.ts'
import { SEED, size } from './sizes.ts'

/** Seconds. */
const TIME = size('KERNEL_FUZZ', 600)

test.runIf(kernelState().calls)(
  `for ${TIME} seconds, system calls with random arguments, closed descriptors and signals crash nothing`,
  async () => {
    const { code, calls, errors } = await fuzzKernel(SEED, TIME)
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    report(`${calls} random system calls in ${TIME} s, while signals arrived`)
  },
  (TIME + 60) * 1000,
)
