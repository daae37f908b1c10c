import { connect, type Socket } from 'node:net'
import type { Instance } from './harness.ts'
import { observe } from './observe.ts'

/** A response as received over the socket. */
export interface RawAnswer {
  status: number
  /** Names in lower case; values of repeated headers are joined with a comma. */
  headers: Record<string, string>
  body: Buffer
  /** All bytes received, further responses included. */
  bytes: Buffer
}

export interface RawRequest {
  method?: string
  /** The request target, sent as it is. */
  target: string | Buffer
  headers?: Record<string, string>
  body?: string | Buffer
}

/** Milliseconds to wait for the server to close. */
const PATIENCE = 15_000

export const openSocket = ({ host, port }: Pick<Instance, 'host' | 'port'>): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })

/** The head of a request that ends its connection, as bytes. */
export function head(
  instance: Pick<Instance, 'host' | 'port'>,
  { method = 'GET', target, headers }: RawRequest,
): Buffer {
  const lines = Object.entries({ Host: `${instance.host}:${instance.port}`, Connection: 'close', ...headers })
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([Buffer.from(`${method} `), Buffer.from(target), Buffer.from(` HTTP/1.1\r\n${text}\r\n`)])
}

/** Sends one request byte for byte and reads until the server closes. */
export async function rawRequest(instance: Pick<Instance, 'host' | 'port'>, request: RawRequest): Promise<RawAnswer> {
  const length = request.body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(request.body)) }
  const headers = { ...length, ...request.headers }
  return exchange(instance, Buffer.concat([head(instance, { ...request, headers }), Buffer.from(request.body ?? '')]))
}

/** Sends bytes, ends the sending side on request, and reads until the server closes. */
export async function exchange(
  instance: Pick<Instance, 'host' | 'port'>,
  bytes: Buffer,
  { finish = false } = {},
): Promise<RawAnswer> {
  const socket = await openSocket(instance)
  const received = readAll(socket)
  socket.write(bytes)
  if (finish) socket.end()
  const answer = parse(await received)
  const [, method = '', target = ''] = /^([A-Z]+) (\S+)/.exec(bytes.subarray(0, 4096).toString('latin1')) ?? []
  observe(method, target, answer.status)
  return answer
}

/** Everything the server sends until it closes, or until the timeout. */
export function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = []
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(Buffer.concat(chunks))
    }
    const timer = setTimeout(done, PATIENCE)
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    for (const event of ['end', 'close', 'error']) socket.once(event, done)
  })
}

/** Parses the final response; interim ones (`100 Continue`) are skipped. */
export function parse(bytes: Buffer): RawAnswer {
  if (bytes.subarray(0, 10).toString('latin1').startsWith('HTTP/1.1 1')) {
    return { ...parse(bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)), bytes }
  }
  const end = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = bytes.subarray(0, Math.max(end, 0)).toString('latin1').split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const name = line.slice(0, line.indexOf(':')).toLowerCase()
    const value = line.slice(line.indexOf(':') + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  const rest = bytes.subarray(end + 4)
  const length = headers['content-length']
  const body = length === undefined ? rest : rest.subarray(0, Number(length))
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0), headers, body, bytes }
}
