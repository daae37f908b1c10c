import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { AppError } from '../errors.ts'

/** Limits that a body must keep. */
interface BodyRules {
  /** Announced length in bytes. */
  length?: number
  signal?: AbortSignal
  /** Whether buffered bytes count although the body fails: they are passed on before the error is thrown. */
  partial?: boolean
}

/**
 * A body chunk by chunk. The body is neither closed nor drained on failure: its owner may still want to respond on the
 * same connection. The memory of a chunk that arrived over a connection is released when the next one is requested:
 * otherwise it would wait for a full garbage collection, and cause one every few megabytes.
 * @throws incomplete_body (ended early, failed, aborted), body_too_large at the first excess byte
 */
export async function* chunksOf(
  body: Readable,
  { length, signal, partial = false }: BodyRules,
): AsyncGenerator<Buffer> {
  const isOurs = body instanceof IncomingMessage
  let received = 0
  for await (const chunk of piecesOf(body, signal, partial)) {
    received += chunk.length
    if (length !== undefined && received > length) throw new AppError('body_too_large')
    yield chunk
    if (isOurs) releaseMemory(chunk)
  }
  if (length !== undefined && received < length) throw new AppError('incomplete_body')
}

/** A chunk that is a view of a shared buffer is left alone. */
function releaseMemory({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** Keeps a body that fails before or after it is read from ending the process. */
export function holdErrors(body: Readable): void {
  body.on('error', () => {})
}

/** @throws incomplete_body, or the reason itself when it is an `AppError` */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw failed(signal.reason)
}

/**
 * Listens to events instead of using the stream's iterator, which would destroy the body on failure and could not be
 * woken by an abort while the sender stalls.
 */
async function* piecesOf(body: Readable, signal: AbortSignal | undefined, partial: boolean): AsyncGenerator<Buffer> {
  let wake = () => {}
  const ring = () => wake()
  for (const event of EVENTS) body.on(event, ring)
  signal?.addEventListener('abort', ring)
  try {
    for (;;) {
      if (partial && (signal?.aborted || body.errored)) yield* leftIn(body)
      refuseAborted(signal)
      if (body.errored) throw failed(body.errored)
      const piece: unknown = body.read()
      if (piece !== null) yield bytesOf(piece)
      else if (body.readableEnded) return
      else if (body.destroyed) throw failed(new Error('the body was closed'))
      else await new Promise<void>(resolve => (wake = resolve))
    }
  } finally {
    for (const event of EVENTS) body.off(event, ring)
    signal?.removeEventListener('abort', ring)
  }
}

/** The bytes buffered in a body now, without waiting for more. */
function* leftIn(body: Readable): Generator<Buffer> {
  for (let left = body.readableLength; left > 0; ) {
    const piece: unknown = body.read()
    if (piece === null) return
    const bytes = bytesOf(piece)
    left -= bytes.length
    yield bytes
  }
}

const EVENTS = ['readable', 'end', 'error', 'close'] as const

function bytesOf(piece: unknown): Buffer {
  if (Buffer.isBuffer(piece)) return piece
  return piece instanceof Uint8Array ? Buffer.from(piece) : Buffer.from(String(piece))
}

function failed(cause: unknown): AppError {
  return cause instanceof AppError ? cause : new AppError('incomplete_body', 'incomplete_body', { cause })
}
