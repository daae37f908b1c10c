import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { LIMITS } from '../limits.ts'

/** The progress of a client, and when it was last seen to change, in milliseconds of `performance.now()`. */
interface Sight {
  taken: string
  since: number
}

const sights = new WeakMap<Socket, Sight>()

/** The last request of each connection. */
const exchanges = new WeakMap<Socket, { request: IncomingMessage; response: ServerResponse }>()

/** Where Linux lists the unacknowledged bytes of each connection. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6']
/** Milliseconds for which a read of the tables is reused: many clients may be slow at a time. */
const FRESH = 1000
let read = { at: Number.NEGATIVE_INFINITY, bytes: Promise.resolve(new Map<string, string>()) }

/**
 * Closes connections without progress (`LIMITS.idleTimeout`), but none whose client waits for its response, such as that of
 * a long copy, or reads it, however slowly. The runtime only sees bytes enter the system's send buffer, some megabytes that a slow client reads for minutes: so
 * the number of unacknowledged bytes is read from the system, and a client that reads nothing has `LIMITS.silentReader`
 * more.
 */
export function waitForSlowClients(app: FastifyInstance): void {
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) =>
    exchanges.set(request.socket, { request, response }),
  )
  app.server.on('timeout', (socket: Socket) => void look(socket))
}

/** Whether the request has arrived whole, and nothing of its response has been sent. */
function isAnswerDue(socket: Socket): boolean {
  const { request, response } = exchanges.get(socket) ?? {}
  return request?.complete === true && response?.headersSent === false
}

async function look(socket: Socket): Promise<void> {
  if (isAnswerDue(socket)) return void socket.setTimeout(LIMITS.idleTimeout)
  const now = performance.now()
  const taken = `${socket.bytesWritten} ${socket.writableLength > 0 ? await onTheWay(socket) : ''}`
  const last = sights.get(socket)
  const isNew = last?.taken !== taken
  if (isNew) sights.set(socket, { taken, since: now })
  const isOver = last && !isNew && now - last.since >= LIMITS.silentReader
  if (socket.writableLength === 0 || isOver) socket.destroy()
  // The event fires once, unless the timeout is set again.
  else socket.setTimeout(LIMITS.idleTimeout)
}

/** The unacknowledged bytes of all connections between two ports: other addresses may share them, which is harmless. */
async function onTheWay({ localPort = 0, remotePort = 0 }: Socket): Promise<string> {
  const now = performance.now()
  if (now - read.at > FRESH) read = { at: now, bytes: readTables() }
  const [here, there] = [localPort, remotePort].map(port => port.toString(16).toUpperCase().padStart(4, '0'))
  return (await read.bytes).get(`${here} ${there}`) ?? ''
}

/** By both ports: `local address:port`, `remote address:port`, state, `unacknowledged bytes:unread bytes`. */
async function readTables(): Promise<Map<string, string>> {
  const tables = await Promise.all(TABLES.map(table => readFile(table, 'latin1').catch(() => '')))
  const found = new Map<string, string>()
  const lines = tables.join('').matchAll(/:([0-9A-F]{4}) [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]{2} ([0-9A-F]+):/g)
  for (const [, here, there, bytes] of lines) {
    const ports = `${here} ${there}`
    found.set(ports, `${found.get(ports) ?? ''} ${bytes}`)
  }
  return found
}
