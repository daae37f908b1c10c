import { addAbortSignal, type Readable } from 'node:stream'

/**
 * A stream that a signal ends with an error. Its reader gets the error also when it begins later; until then the error
 * would have no listener, which ends the process.
 */
export function abortable(signal: AbortSignal, stream: Readable): Readable {
  stream.on('error', () => {})
  return addAbortSignal(signal, stream)
}
