import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/** What the runtime keeps of a socket, by names that it does not document. */
interface Handled {
  _handle?: { fd?: unknown; writeQueueSize?: unknown; constructor: { name: string } } | null
}

/**
 * The descriptor of a response's connection, if the bytes of its body may be written there without the runtime: it is
 * TCP without TLS, the body has no chunks, and everything written so far has left this process. `undefined` otherwise.
 */
export function plainSocketOf(response: ServerResponse): number | undefined {
  const { socket, chunkedEncoding, headersSent, destroyed } = response
  if (!(socket instanceof Socket) || socket instanceof TLSSocket || socket.destroyed) return undefined
  if (destroyed || chunkedEncoding || !headersSent) return undefined
  if (socket.writableLength > 0 || socket.writableCorked > 0 || response.writableLength > 0) return undefined
  const { _handle: handle } = socket as Handled
  if (handle?.constructor.name !== 'TCP' || handle.writeQueueSize !== 0) return undefined
  return typeof handle.fd === 'number' && handle.fd >= 0 ? handle.fd : undefined
}
