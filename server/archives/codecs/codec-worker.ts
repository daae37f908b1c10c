import { serveCalls, transferring } from '../../lib/worker-serve.ts'
import { ChunkReader } from '../byte-reader.ts'
import { type Unpacking, unpacked } from './decoders.ts'
import { METHODS, type Method } from './encoders.ts'

export type CodecCalls = typeof CALLS

// Compresses and decompresses on a worker thread: a block takes up to seconds.
const CALLS = {
  compress: ({ method, block }: { method: Method; block: Uint8Array }) => {
    // A copy, because a transferred buffer is lost here, spare capacity included.
    const packed = METHODS[method].compress(block).slice()
    return transferring(packed, [packed.buffer])
  },
  decompress: (how: Unpacking, packed: AsyncIterable<Uint8Array>) => unpacked(how, new ChunkReader(packed)),
}

serveCalls(CALLS)
