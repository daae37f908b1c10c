import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The network between a client and a server, which can fail. */
export interface Line {
  /** URL of its client side, without a trailing slash. */
  url: string
  /** Closes all connections and refuses new ones. */
  cut(): Promise<void>
  /** Drops every byte and every close, for good: on existing connections and on new ones. */
  silence(): Promise<void>
  /** Accepts connections again; silenced ones stay silent. */
  restore(): Promise<void>
  stop(): void
}

/** @param target receives the bytes */
export async function startLine(target: { host: string; port: number; base: string }): Promise<Line> {
  const pairs = new Set<readonly [near: Socket, far: Socket]>()
  let silent = false
  const server = createServer(near => {
    const pair = [near, connect(target.port, target.host)] as const
    pairs.add(pair)
    for (const [one, other] of both(pair)) {
      one.on('error', () => {})
      one.once('close', () => {
        other.destroy()
        pairs.delete(pair)
      })
    }
    if (!silent) join(pair)
  })
  const listen = (port: number) => new Promise<void>(resolve => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const end = () => {
    server.close()
    for (const [near] of pairs) near.resetAndDestroy()
  }
  return {
    url: `http://127.0.0.1:${port}${target.base}`,
    async cut() {
      end()
    },
    async silence() {
      silent = true
      for (const pair of pairs) for (const [one, other] of both(pair)) one.unpipe(other).pause()
    },
    async restore() {
      silent = false
      if (!server.listening) await listen(port)
    },
    stop: end,
  }
}

const both = ([near, far]: readonly [Socket, Socket]) =>
  [
    [near, far],
    [far, near],
  ] as const

function join([near, far]: readonly [Socket, Socket]): void {
  near.pipe(far)
  far.pipe(near)
}
