import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { LIMITS } from '../../limits.ts'
import type { DirectoryServer, DirectorySettings } from './directory-settings.ts'
import { requestTls } from './start-tls.ts'

/**
 * A connection to a server of a directory, which is encrypted and whose certificate is checked before a byte of ours is
 * sent, but for the request for StartTLS.
 * @param signal ends the connection, also later
 * @throws Error when it does not come about within `LIMITS.directoryConnect`
 */
export async function openConnection(
  server: DirectoryServer,
  { ca }: Pick<DirectorySettings, 'ca'>,
  signal: AbortSignal,
): Promise<Socket> {
  const opening = AbortSignal.any([signal, AbortSignal.timeout(LIMITS.directoryConnect)])
  opening.throwIfAborted()
  const plain = connect({ host: server.host, port: server.port })
  plain.on('error', () => {})
  const end = () => plain.destroy()
  opening.addEventListener('abort', end, { once: true })
  try {
    await settled(plain, 'connect', opening)
    const socket = server.tls === 'none' ? plain : await secured(plain, server, { ca, opening })
    opening.removeEventListener('abort', end)
    signal.addEventListener('abort', () => socket.destroy(), { once: true })
    countBytes(socket)
    return socket
  } catch (error) {
    plain.destroy()
    throw error
  }
}

async function secured(
  plain: Socket,
  { host, tls }: DirectoryServer,
  { ca, opening }: { ca: string; opening: AbortSignal },
): Promise<Socket> {
  if (tls === 'starttls') await untilAborted(requestTls(plain), opening)
  const name = isIP(host) === 0 ? { servername: host } : {}
  const socket = connectTls({ socket: plain, host, ...name, ...(ca !== '' && { ca }), minVersion: 'TLSv1.2' })
  socket.on('error', () => {})
  await settled(socket, 'secureConnect', opening)
  return socket
}

/** Waits for an event. @throws the error of the socket; Error when it ends, or the signal aborts */
async function settled(socket: Socket, event: string, signal: AbortSignal): Promise<void> {
  const ended = once(socket, 'close', { signal }).then(() => {
    throw new Error('the server ended the connection')
  })
  ended.catch(() => {})
  await Promise.race([once(socket, event, { signal }), ended])
}

async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  work.catch(() => {})
  try {
    await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Ends a connection on which more comes than answers can have. */
function countBytes(socket: Socket): void {
  socket.prependListener('data', () => {
    if (socket.bytesRead > LIMITS.directoryBytes) socket.destroy()
  })
}
