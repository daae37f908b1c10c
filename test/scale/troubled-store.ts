import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** The faults of a store. */
export interface Trouble {
  /** Milliseconds by which each response is delayed. */
  late?: number
  /** The error it returns instead of performing the operation. */
  refuses?: { status: number; word: string; only?: (request: IncomingMessage) => boolean }
}

/** A store into which faults are injected; all else is passed on to the real one. */
export interface TroubledStore {
  /** The URL of the root, through the faults. */
  address: string
  trouble: Trouble
  /** Number of requests refused so far. */
  refused: number
}

/** @param address of a root */
export async function startTroubled(address: string): Promise<TroubledStore> {
  const root = new URL(address)
  const endpoint = new URL(root.searchParams.get('endpoint') ?? '')
  const store: TroubledStore = { address, trouble: {}, refused: 0 }
  const server = createServer((asked, answer) => {
    const { refuses } = store.trouble
    if (!refuses || refuses.only?.(asked) === false) return pass(store, endpoint, asked, answer)
    store.refused += 1
    const say = () => answer.writeHead(refuses.status).end(`<Error><Code>${refuses.word}</Code></Error>`)
    asked.resume().on('end', say)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const bound = server.address()
  root.searchParams.set('endpoint', `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`)
  store.address = root.href
  return store
}

/** The signature covers the headers as they came, the host among them. */
function pass(store: TroubledStore, { hostname, port }: URL, asked: IncomingMessage, answer: ServerResponse): void {
  const headers = asked.rawHeaders
  const say = (incoming: IncomingMessage) => {
    answer.writeHead(incoming.statusCode ?? 0, incoming.rawHeaders)
    incoming.pipe(answer)
  }
  const passed = request({ hostname, port, method: asked.method ?? '', path: asked.url ?? '', headers }, incoming => {
    setTimeout(say, store.trouble.late ?? 0, incoming)
  })
  passed.on('error', () => answer.destroy())
  asked.pipe(passed)
}
