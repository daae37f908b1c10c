import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** A connection to a server that passes bytes on slowly and counts them. */
export interface SlowLine {
  /** URL of its client side, without a trailing slash. */
  url: string
  /** Bytes received from the client so far. */
  readonly sent: number
  /** Closes all connections; new ones can be opened. */
  cut(): void
  stop(): void
}

/** @param rate bytes per second towards the server, of all connections together */
export async function startSlowLine(
  target: { host: string; port: number; base: string },
  rate: number,
): Promise<SlowLine> {
  const clients = new Set<Socket>()
  let sent = 0
  let freeAt = 0
  const slow = () =>
    new Transform({
      highWaterMark: 1,
      transform(bytes: Buffer, _encoding, done) {
        sent += bytes.length
        freeAt = Math.max(freeAt, performance.now()) + (1000 * bytes.length) / rate
        setTimeout(() => done(null, bytes), Math.max(0, freeAt - performance.now()))
      },
    })
  const server = createServer({ highWaterMark: 16 * 1024 }, near => {
    const far = connect(target.port, target.host)
    const up = slow()
    clients.add(near)
    near
      .on('error', () => {})
      .pipe(up)
      .pipe(far)
    far.on('error', () => {}).pipe(near)
    near.once('close', () => {
      clients.delete(near)
      // Bytes already received are still passed on.
      up.end()
    })
    far.once('close', () => near.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const cut = () => {
    for (const near of clients) near.resetAndDestroy()
  }
  return {
    url: `http://127.0.0.1:${port}${target.base}`,
    get sent() {
      return sent
    },
    cut,
    stop() {
      server.close()
      cut()
    },
  }
}
