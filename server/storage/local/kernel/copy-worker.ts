import { serveCalls } from '../../../lib/worker-serve.ts'
import { errnoOf } from '../errno.ts'
import { bindKernel } from './kernel.ts'

export interface RangeToCopy {
  from: number
  to: number
  position: number
  count: number
}

export type CopyCalls = typeof CALLS

const kernel = bindKernel()

const CALLS = {
  /** @returns the number of bytes that were copied, or the name of a system error */
  copy({ from, to, position, count }: RangeToCopy): number | string {
    try {
      return kernel ? kernel.copyRange(from, to, position, count) : 'ENOSYS'
    } catch (thrown) {
      return errnoOf(thrown)
    }
  },
}

serveCalls(CALLS)
