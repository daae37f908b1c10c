import { AppError } from '../errors.ts'
import { emitEvent, serveCalls, transferring } from './worker-serve.ts'

export type TestCalls = typeof CALLS

let left = 0

// A worker thread for the tests of its client.
const CALLS = {
  double: (value: number) => value * 2,
  reverse: (bytes: Uint8Array<ArrayBuffer>) => transferring(bytes.reverse(), [bytes.buffer]),
  refuse: () => {
    throw new AppError('not_found', 'no such thing')
  },
  fail: () => {
    throw Object.assign(new Error('no entry'), { code: 'ENOENT' })
  },
  crash: () => {
    setImmediate(() => {
      throw new Error('crashed')
    })
    return new Promise<never>(() => {})
  },
  block: () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0),
  never: () => new Promise<never>(() => {}),
  leftEarly: () => left,
  *count(most: number) {
    let at = 0
    try {
      while (at < most) yield ++at
    } finally {
      if (at < most) left += 1
    }
  },
  *countDown(from: number): Generator<number, number> {
    for (let at = from; at > 0; at--) yield at
    return 0
  },
  sum: async (start: number, input: AsyncIterable<number>) => {
    let sum = start
    for await (const value of input) sum += value
    return sum
  },
  doubled: async function* (_: undefined, input: AsyncIterable<number>) {
    for await (const value of input) yield value * 2
  },
  announce: (event: string) => emitEvent(event),
}

serveCalls(CALLS)
