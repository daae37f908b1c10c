import type { Socket } from 'node:net'
import type { Instance } from '../api/harness.ts'
import { openSocket, parse, type RawAnswer } from '../api/raw.ts'
import type { Attempt } from './attempt.ts'

/** Timeout of a response in milliseconds: a preview has ten seconds, and queues behind others. */
export const PATIENCE = 30_000

export interface Outcome {
  /** `undefined` when the connection ended without one. */
  answer: RawAnswer | undefined
  /** Timed out. */
  hangs: boolean
}

/** An attempt as bytes. */
export function bytesOf(
  instance: Pick<Instance, 'host' | 'port' | 'base'>,
  attempt: Attempt,
  token: string | undefined,
): Buffer {
  const { method, target, headers, body, cut } = attempt
  const own: [string, string][] = [
    ['Host', `${instance.host}:${instance.port}`],
    ...(token === undefined ? [] : [['X-Auth', token] as [string, string]]),
    ...(body ? [['Content-Length', String(body.length + (cut ? 100 : 0))] as [string, string]] : []),
  ]
  const lines = [...own, ...headers].map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${method} ${instance.base}${target} HTTP/1.1\r\n${lines.join('')}\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), body ?? Buffer.alloc(0)])
}

/** Sends an attempt and reads until the server closes, has switched to another protocol, or begins to send events. */
export async function send(instance: Instance, attempt: Attempt, token: string | undefined): Promise<Outcome> {
  const socket = await openSocket(instance)
  const received = receive(socket)
  socket.write(bytesOf(instance, attempt, token))
  if (attempt.cut) socket.end()
  const { bytes, hangs } = await received
  // Switched to another protocol, which is no interim response; nothing follows.
  if (isSwitched(bytes)) return { answer: { status: 101, headers: {}, body: Buffer.alloc(0), bytes }, hangs }
  const answer = bytes.length > 0 ? parse(bytes) : undefined
  return { answer: answer && { ...answer, body: unchunked(answer) }, hangs }
}

function receive(socket: Socket): Promise<{ bytes: Buffer; hangs: boolean }> {
  const chunks: Buffer[] = []
  return new Promise(resolve => {
    const finish = (hangs: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ bytes: Buffer.concat(chunks), hangs })
    }
    const timer = setTimeout(() => finish(true), PATIENCE)
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      if (chunks.length === 1 && (isSwitched(chunk) || isStream(chunk))) finish(false)
    })
    for (const event of ['end', 'close', 'error']) socket.once(event, () => finish(false))
  })
}

const isSwitched = (bytes: Buffer) => bytes.subarray(0, 12).toString('latin1') === 'HTTP/1.1 101'

/** A stream of events does not end. */
const isStream = (bytes: Buffer) => /\ncontent-type: text\/event-stream/i.test(bytes.toString('latin1'))

/** The body without its chunk sizes. */
function unchunked({ headers, body }: RawAnswer): Buffer {
  if (headers['transfer-encoding'] !== 'chunked') return body
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const end = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.subarray(at, end).toString('latin1'), 16)
    if (end < 0 || !(size > 0)) break
    parts.push(body.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
  return Buffer.concat(parts)
}
