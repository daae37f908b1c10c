import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A way to a store that can be cut. */
export interface Relay {
  /** The address of the root, along this way. */
  address: string
  /** Ends all connections, and every new one at once. */
  cut(): void
  mend(): void
}

/** @param address of a root whose endpoint is to be reached along the way */
export async function startRelay(address: string): Promise<Relay> {
  const root = new URL(address)
  const endpoint = new URL(root.searchParams.get('endpoint') ?? '')
  const sockets = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  }
  const server = createServer(near => {
    keep(near)
    if (isCut) return near.destroy()
    const far = connect(Number(endpoint.port), endpoint.hostname)
    keep(far)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const bound = server.address()
  root.searchParams.set('endpoint', `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`)
  return {
    address: root.href,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      isCut = false
    },
  }
}
