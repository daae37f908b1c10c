import { parentPort, workerData } from 'node:worker_threads'
import { asAppError } from '../../errors.ts'
import { PieceReader } from '../byte-reader.ts'
import { type FromThread, type ToThread, type Unpacking, unpacked } from './decoders.ts'

// Unpacks one stream on a thread of its own, piece by piece as it is asked to.
let arrived: (packed: Uint8Array | undefined) => void = () => {}

async function* packed(): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>()
    arrived = resolve
    tell({ wants: true })
    const piece = await promise
    if (!piece) return
    yield piece
  }
}

const pieces = unpacked(workerData as Unpacking, new PieceReader(packed()))

parentPort?.on('message', (message: ToThread) => {
  if ('packed' in message) arrived(message.packed)
  else if ('packedEnd' in message) arrived(undefined)
  else void unpackNext()
})

async function unpackNext(): Promise<void> {
  try {
    const { done, value } = await pieces.next()
    tell(done ? { end: true } : { piece: value })
  } catch (thrown) {
    tell({ failed: asAppError(thrown).code })
  }
}

function tell(message: FromThread): void {
  parentPort?.postMessage(message)
}
