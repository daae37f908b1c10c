import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What happens to answers of the server: they pass, or from this one on (from 0) nothing does, or all ends. */
export interface Fault {
  hangsFrom?: number
  endsFrom?: number
  /** The first bytes of this answer pass, then all ends. */
  breaksAt?: number
  /** Milliseconds before each answer. */
  delay?: number
  /** Sent instead of the first answer, or behind it. */
  instead?: Buffer
  behind?: Buffer
}

export interface Relay {
  port: number
  /** Connections so far. */
  connections: number
  /** Everything that clients sent. */
  sent: Buffer
}

/** A way to a server that records what clients send, and fails on purpose. */
export async function openRelay(target: number, fault: Fault = {}): Promise<Relay> {
  const relay: Relay = { port: 0, connections: 0, sent: Buffer.alloc(0) }
  const open = new Set<Socket>()
  const server = createServer(client => {
    relay.connections += 1
    const upstream = connect(target, '127.0.0.1')
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {})
    }
    client.on('data', (chunk: Buffer) => {
      relay.sent = Buffer.concat([relay.sent, chunk])
      upstream.write(chunk)
    })
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    let answers = -1
    upstream.on('data', (chunk: Buffer) => {
      answers += 1
      if (answers === fault.breaksAt) return client.end(chunk.subarray(0, 10))
      if (answers >= (fault.endsFrom ?? Number.POSITIVE_INFINITY)) return client.destroy()
      if (answers >= (fault.hangsFrom ?? Number.POSITIVE_INFINITY)) return
      const isFirst = answers === 0
      const bytes = isFirst ? Buffer.concat([fault.instead ?? chunk, fault.behind ?? Buffer.alloc(0)]) : chunk
      setTimeout(() => client.writable && client.write(bytes), fault.delay ?? 0)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  relay.port = typeof address === 'object' && address ? address.port : 0
  onTestFinished(() => {
    server.close()
    for (const socket of open) socket.destroy()
  })
  return relay
}
