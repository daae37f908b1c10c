import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A relay between a proxy and a server that reads the server's responses. */
export interface Relay {
  host: string
  port: number
  /** The paths that the server has named for the proxy to send. */
  places: string[]
  /** Called when a path is named, before the proxy receives it. */
  beforeResponse: () => Promise<void>
  stop(): void
}

/** @param target receives the requests */
export async function startRelay(target: { host: string; port: number }): Promise<Relay> {
  const server = createServer((asked, answer) => {
    const { url: path, method, headers } = asked
    const pass = (incoming: IncomingMessage) => {
      answer.writeHead(incoming.statusCode ?? 0, incoming.rawHeaders)
      incoming.pipe(answer)
    }
    const passed = request({ host: target.host, port: target.port, path, method, headers }, incoming => {
      const place = incoming.headers['x-accel-redirect']
      if (typeof place !== 'string') return pass(incoming)
      relay.places.push(place)
      void relay.beforeResponse().then(() => pass(incoming))
    })
    asked.pipe(passed)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const relay: Relay = {
    ...{ host: '127.0.0.1', port, places: [], beforeResponse: async () => {} },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
  return relay
}
