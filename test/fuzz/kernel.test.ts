import { expect, test } from 'vitest'
import { kernelState } from '../../server/storage/local/kernel/open-kernel.ts'
import { fuzzKernel } from './kernel-process.ts'

const SEED = Number(process.env.FILIGREE_FUZZ_SEED ?? 20_261_127)
/** See test/faults/kernel.slow.ts for a longer run. */
const SECONDS = 3

test.runIf(kernelState().calls)(
  'system calls with random arguments, closed descriptors and signals crash nothing',
  async () => {
    const { code, calls, errors } = await fuzzKernel(SEED, SECONDS)
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(calls).toBeGreaterThan(0)
  },
)
