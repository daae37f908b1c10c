import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { onTestFinished } from 'vitest'

/** A relay to a server that simulates network faults. */
export interface Relay {
  /** The URL through this relay. */
  address: string
  /** Closes all connections, and every new one at once. */
  cut(): void
  mend(): void
  /** Silently drops all traffic of the existing connections; new ones work. */
  freeze(): void
  /** Bytes passed on to the server. */
  asked(): number
  /** Bytes received from the server, delayed or not. */
  answered(): number
  /** Delays the server's responses by so many milliseconds each. */
  slow(milliseconds: number): void
}

/** @param address of a root whose endpoint is to be reached through the relay */
export async function startRelay(address: string): Promise<Relay> {
  const root = new URL(address)
  const { port, ...ways } = await relayTo(new URL(root.searchParams.get('endpoint') ?? ''))
  root.searchParams.set('endpoint', `http://127.0.0.1:${port}`)
  return { address: root.href, ...ways }
}

/** @param address of a database */
export async function startDatabaseRelay(address: string): Promise<Relay> {
  const database = new URL(address)
  const { port, ...ways } = await relayTo(new URL(address))
  database.hostname = '127.0.0.1'
  database.port = String(port)
  return { address: database.href, ...ways }
}

async function relayTo(target: URL): Promise<Omit<Relay, 'address'> & { port: number }> {
  const sockets = new Set<Socket>()
  let frozen = new WeakSet<Socket>()
  let isCut = false
  let late = 0
  let asked = 0
  let answered = 0
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const held = (socket: Socket, wait: () => number) =>
    new Transform({
      transform: (piece, _encoding, pass) => void setTimeout(() => frozen.has(socket) || pass(null, piece), wait()),
    })
  const server = createServer(near => {
    keep(near)
    if (isCut) return near.destroy()
    const far = connect(Number(target.port), target.hostname)
    keep(far)
    near.on('data', piece => {
      asked += piece.length
    })
    far.on('data', piece => {
      answered += piece.length
    })
    near.pipe(held(near, () => 0)).pipe(far)
    far.pipe(held(near, () => late)).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => frozen.has(near) || near.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const bound = server.address()
  return {
    port: typeof bound === 'object' ? (bound?.port ?? 0) : 0,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      isCut = false
    },
    freeze() {
      frozen = new WeakSet(sockets)
    },
    asked: () => asked,
    answered: () => answered,
    slow(milliseconds) {
      late = milliseconds
    },
  }
}
