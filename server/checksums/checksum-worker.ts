import { createHash } from 'node:crypto'
import { serveCalls } from '../lib/worker-serve.ts'

export type ChecksumCalls = typeof CALLS

// Hashes on a worker thread: a file of many gigabytes keeps a processor busy for minutes.
const CALLS = {
  digest: async (algorithm: string, source: AsyncIterable<Uint8Array>): Promise<string> => {
    const hash = createHash(algorithm)
    for await (const chunk of source) hash.update(chunk)
    return hash.digest('hex')
  },
}

serveCalls(CALLS)
