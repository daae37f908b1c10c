import { encodePath, type FilePath } from '../../../../shared/path.ts'
import { ApiError, api, apiUrl } from '../../../lib/api.ts'

/** Close code of the server after the command has ended (RFC 6455, 7.4.1). */
const OVER = 1000

export interface CommandHandlers {
  onLine: (line: string) => void
  /**
   * `refused`: the server did not accept the command; `lost`: the connection was cut off.
   * @param reason a keyword for the server's own last message, else `''`
   */
  onEnd: (end: 'done' | 'refused' | 'lost', reason: string) => void
}

const addressOf = (folder: FilePath) => `/api/command${encodePath(folder)}`

/**
 * Runs a command over `/api/command/{folder}` (http-api 13). The cookie authenticates, so that no token is in the URL.
 * @returns the function that ends it; no callback is called after that
 */
export function runCommand(folder: FilePath, command: string, { onLine, onEnd }: CommandHandlers): () => void {
  const url = new URL(apiUrl(addressOf(folder)), location.href)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(url)
  const own = new AbortController()
  let taken = false
  const on = <K extends keyof WebSocketEventMap>(type: K, act: (event: WebSocketEventMap[K]) => void) =>
    socket.addEventListener(type, act, { signal: own.signal })
  on('open', () => {
    taken = true
    socket.send(command)
  })
  on('message', ({ data }) => onLine(String(data)))
  on('close', ({ code, reason }) => onEnd(code === OVER ? 'done' : taken ? 'lost' : 'refused', reason))
  return () => {
    own.abort()
    socket.close()
  }
}

/**
 * Why the server refused the command: browsers hide the response to a WebSocket handshake, so it is repeated as a plain
 * request. Its 400 means that there is no other reason.
 */
export async function refusalOf(folder: FilePath): Promise<ApiError | undefined> {
  try {
    await api(addressOf(folder))
  } catch (error) {
    if (error instanceof ApiError && error.status !== 400) return error
  }
  return undefined
}
