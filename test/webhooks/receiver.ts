import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface Received {
  headers: IncomingMessage['headers']
  body: string
}

/** A receiver of webhooks on this machine. It answers with the statuses in `answers`, then with 204. */
export async function startReceiver({ host = '127.0.0.1', port = 0 } = {}) {
  const received: Received[] = []
  const answers: { status: number; headers?: Record<string, string>; body?: string }[] = []
  const server = createServer((request, response) => {
    void text(request).then(content => {
      received.push({ headers: request.headers, body: content })
      const { status, headers = {}, body = '' } = answers.shift() ?? { status: 204 }
      response.writeHead(status, headers).end(body)
    })
  })
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>(resolve => server.listen(port, host, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const bound = (server.address() as AddressInfo).port
  return {
    ...{ url: `http://${host}:${bound}/hook`, port: bound, received, answers, server },
    /** How many were made to it. */
    connections: () => connections,
  }
}
