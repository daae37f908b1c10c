import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'
import { onTestFinished } from 'vitest'

/** A way to a server that can be made bad. */
export interface Relay {
  /** The address, along this way. */
  address: string
  /** Ends all connections, and every new one at once. */
  cut(): void
  mend(): void
  /** Lets nothing through any more over the connections that there are, without a word; new ones are as before. */
  freeze(): void
  /** How many bytes it has let through to the server. */
  asked(): number
  /** How many bytes came from the server, held back or not. */
  answered(): number
  /** Holds back what the server says, so many milliseconds each time. */
  slow(milliseconds: number): void
}

/** @param address of a root whose endpoint is to be reached along the way */
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
