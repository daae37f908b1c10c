import { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { AppError } from '../errors.ts'
import type { WriteOptions } from './driver.ts'

/** Whether the body keeps what was promised of it. */
interface BodyRules extends Pick<WriteOptions, 'length' | 'signal'> {
  /** Whether what has come counts though the rest will not: it is handed on before the failure is thrown. */
  partial?: boolean
}

/**
 * Hands a body on, piece by piece, and counts it. The body is neither closed nor drained on failure: its owner may
 * still want to answer on the same connection.
 * @throws incomplete_body (ended early, failed, aborted), body_too_large as soon as one byte too many is there, and
 *   whatever `take` throws
 */
export async function receive(
  body: Readable,
  { length, signal, partial = false }: BodyRules,
  take: (piece: Buffer) => Promise<void>,
): Promise<void> {
  let received = 0
  for await (const piece of piecesOf(body, signal, partial)) {
    received += piece.length
    if (length !== undefined && received > length) throw new AppError('body_too_large')
    await take(piece)
  }
  if (length !== undefined && received < length) throw new AppError('incomplete_body')
}

/**
 * The same for who keeps nothing of a piece: memory of what came over a connection is given back piece by piece. It would wait
 * for a collection of all garbage, and cause one every few megabytes.
 */
export function receiveAndForget(
  body: Readable,
  rules: BodyRules,
  take: (piece: Buffer) => Promise<void>,
): Promise<void> {
  const isOurs = body instanceof IncomingMessage
  return receive(body, rules, async piece => {
    await take(piece)
    if (isOurs) giveBack(piece)
  })
}

/** A piece may be a part of memory that holds others, too. */
function giveBack({ buffer, byteLength }: Buffer): void {
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
 * Waits on events of its own instead of the stream's iterator: that one would destroy the body on failure, and could
 * not be woken by an abort while a sender stalls.
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

/** What a body has brought that nobody has read yet; not what it goes on to bring. */
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
