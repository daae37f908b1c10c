import { type ClientOptions, WebSocket } from 'ws'
import type { Instance } from './harness.ts'
import { observe } from './observe.ts'

export interface CommandCall {
  token?: string
  /** The WebSocket's path; commands unless given. */
  api?: string
  /** Path of the folder, encoded. */
  folder?: string
  /** After the path, with its `?`. */
  query?: string
  headers?: Record<string, string>
  options?: ClientOptions
}

/** A sent command and its result. */
export interface RunningCommand {
  socket: WebSocket
  /** The messages so far. */
  lines: string[]
  /** The close code, after the last message. */
  closed: Promise<number>
}

/** The response instead of a WebSocket. */
export class Refused extends Error {
  readonly status: number
  readonly body: string
  constructor(status: number, body: string) {
    super(`${status} ${body}`)
    this.status = status
    this.body = body
  }
}

const address = ({ url }: Pick<Instance, 'url'>, { api = '/api/command', folder = '/', query = '' }: CommandCall) =>
  `${url.replace('http', 'ws')}${api}${folder}${query}`

/** Opens the WebSocket of commands. @throws Refused */
export async function openCommand(instance: Pick<Instance, 'url'>, call: CommandCall = {}): Promise<RunningCommand> {
  const headers = { ...(call.token === undefined ? {} : { 'X-Auth': call.token }), ...call.headers }
  const socket = new WebSocket(address(instance, call), { headers, ...call.options })
  const lines: string[] = []
  socket.on('message', (data: Buffer) => lines.push(data.toString()))
  const closed = new Promise<number>(resolve => socket.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.once('upgrade', ({ statusCode = 0 }) => observe('GET', address(instance, call), statusCode))
    socket.once('open', resolve).once('error', reject)
    socket.once('unexpected-response', (_request, response) => {
      observe('GET', address(instance, call), response.statusCode ?? 0)
      let body = ''
      response.on('data', (bytes: Buffer) => {
        body += bytes
      })
      response.once('end', () => reject(new Refused(response.statusCode ?? 0, body)))
    })
  })
  return { socket, lines, closed }
}

/** Sends a command. @throws Refused */
export async function startCommand(instance: Pick<Instance, 'url'>, line: string, call?: CommandCall) {
  const command = await openCommand(instance, call)
  command.socket.send(line)
  return command
}

/** Runs a command to its end. @throws Refused */
export async function runCommand(instance: Pick<Instance, 'url'>, line: string, call?: CommandCall) {
  const { lines, closed } = await startCommand(instance, line, call)
  return { code: await closed, lines }
}
