import { readFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { LIMITS } from '../limits.ts'

/** What a client had taken of its answer, and since when, in milliseconds of `performance.now()`. */
interface Sight {
  taken: string
  since: number
}

const sights = new WeakMap<Socket, Sight>()

/** Where Linux tells how many bytes of each connection the other side has not taken. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6']
/** Milliseconds for which that is not read again: many may be slow at a time. */
const FRESH = 1000
let read = { at: Number.NEGATIVE_INFINITY, bytes: Promise.resolve(new Map<string, string>()) }

/**
 * Ends connections on which nothing moves (`LIMITS.idleTimeout`), but none whose client takes its answer, however slowly.
 * The runtime sees only what the system takes over, some megabytes at a time, which a slow client reads for minutes: so the
 * system is asked how much of that is still on its way, and a client that takes nothing has `LIMITS.silentReader` more.
 */
export function waitForReaders(app: FastifyInstance): void {
  app.server.on('timeout', (socket: Socket) => void look(socket))
}

async function look(socket: Socket): Promise<void> {
  const now = performance.now()
  const taken = `${socket.bytesWritten} ${socket.writableLength > 0 ? await onTheWay(socket) : ''}`
  const last = sights.get(socket)
  const isNew = last?.taken !== taken
  if (isNew) sights.set(socket, { taken, since: now })
  const isOver = last && !isNew && now - last.since >= LIMITS.silentReader
  if (socket.writableLength === 0 || isOver) socket.destroy()
  // It is told of once, unless the time is set anew.
  else socket.setTimeout(LIMITS.idleTimeout)
}

/** The bytes on the way of all connections between two ports: other addresses may have the same, and are no harm. */
async function onTheWay({ localPort = 0, remotePort = 0 }: Socket): Promise<string> {
  const now = performance.now()
  if (now - read.at > FRESH) read = { at: now, bytes: readTables() }
  const [here, there] = [localPort, remotePort].map(port => port.toString(16).toUpperCase().padStart(4, '0'))
  return (await read.bytes).get(`${here} ${there}`) ?? ''
}

/** By both ports: `local address:port`, `remote address:port`, state, `bytes on the way:bytes not read`. */
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
