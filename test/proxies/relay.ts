import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Something between a proxy and a server that sees what the server tells the proxy. */
export interface Relay {
  host: string
  port: number
  /** What has been told so far of files that the proxy is to send: their places. */
  places: string[]
  /** Is run when a place is told, before the proxy hears of it. */
  meanwhile: () => Promise<void>
  stop(): void
}

/** @param target takes requests as they come */
export async function startRelay(target: { host: string; port: number }): Promise<Relay> {
  const server = createServer((asked, answer) => {
    const { url: path, method, headers } = asked
    const pass = (told: IncomingMessage) => {
      answer.writeHead(told.statusCode ?? 0, told.rawHeaders)
      told.pipe(answer)
    }
    const passed = request({ host: target.host, port: target.port, path, method, headers }, told => {
      const place = told.headers['x-accel-redirect']
      if (typeof place !== 'string') return pass(told)
      relay.places.push(place)
      void relay.meanwhile().then(() => pass(told))
    })
    asked.pipe(passed)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const relay: Relay = {
    ...{ host: '127.0.0.1', port, places: [], meanwhile: async () => {} },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
  return relay
}
