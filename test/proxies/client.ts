import { type ClientHttp2Session, connect, constants } from 'node:http2'
import { Agent, request } from 'node:https'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'

export const PROTOCOLS = ['HTTP/1.1', 'HTTP/2'] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** The request; the path is encoded and begins with a slash. */
export interface Question {
  path: string
  method?: string
  headers?: Record<string, string>
  body?: Buffer
}

/** The head of a response whose body is still arriving. */
export interface Opened {
  status: number
  headers: Readonly<Record<string, string | string[] | number | undefined>>
  stream: Readable
}

/** Sends a request to one origin by one protocol, without checking its certificate. */
export interface Visitor {
  open(question: Question): Promise<Opened>
  leave(): void
}

export function visit(origin: string, protocol: Protocol): Visitor {
  return protocol === 'HTTP/2' ? visitByHttp2(origin) : visitByHttp1(origin)
}

/** The complete response. */
export async function ask(visitor: Visitor, question: Question): Promise<Omit<Opened, 'stream'> & { body: Buffer }> {
  const { stream, ...head } = await visitor.open(question)
  return { ...head, body: await buffer(stream) }
}

function visitByHttp1(origin: string): Visitor {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
  return {
    open: ({ path, method = 'GET', headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { 'Content-Length': String(body.length) }
        const sent = request(origin, { agent, path, method, headers: { ...headers, ...length } })
        sent.once('error', reject)
        sent.once('response', stream =>
          resolve({ status: stream.statusCode ?? 0, headers: stream.headers, stream: stream }),
        )
        sent.end(body)
      }),
    leave: () => agent.destroy(),
  }
}

function visitByHttp2(origin: string): Visitor {
  let session: ClientHttp2Session | undefined
  const { HTTP2_HEADER_PATH, HTTP2_HEADER_METHOD, HTTP2_HEADER_STATUS } = constants
  return {
    open: ({ path, method = 'GET', headers = {}, body }) =>
      new Promise((resolve, reject) => {
        session ??= connect(origin, { rejectUnauthorized: false }).on('error', reject)
        const named = { ...headers, [HTTP2_HEADER_PATH]: path, [HTTP2_HEADER_METHOD]: method }
        const stream = session.request(named, { endStream: body === undefined })
        stream.once('error', reject)
        stream.once('response', answered =>
          resolve({ status: Number(answered[HTTP2_HEADER_STATUS]), headers: answered, stream }),
        )
        if (body !== undefined) stream.end(body)
      }),
    leave: () => session?.destroy(),
  }
}
