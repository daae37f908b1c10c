import { parentPort, workerData } from 'node:worker_threads'
import { asAppError } from '../../errors.ts'
import { ChunkReader } from '../byte-reader.ts'
import { type FromThread, type ToThread, type Unpacking, unpacked } from './decoders.ts'

// Decompresses one stream on a worker thread, chunk by chunk on request.
let arrived: (packed: Uint8Array | undefined) => void = () => {}

async function* packed(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>()
    arrived = resolve
    report({ wants: true })
    const piece = await promise
    if (!piece) return
    yield piece
  }
}

const pieces = unpacked(workerData as Unpacking, new ChunkReader(packed()))

parentPort?.on('message', (message: ToThread) => {
  if ('packed' in message) arrived(message.packed)
  else if ('packedEnd' in message) arrived(undefined)
  else void unpackNext()
})

async function unpackNext(): Promise<void> {
  try {
    const { done, value } = await pieces.next()
    report(done ? { end: true } : { piece: value })
  } catch (thrown) {
    report({ failed: asAppError(thrown).code })
  }
}

function report(message: FromThread): void {
  parentPort?.postMessage(message)
}
