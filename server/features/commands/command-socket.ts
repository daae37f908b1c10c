import type { WebSocket } from 'ws'

/** The timeout for the first message, in milliseconds. */
const PATIENCE = 60_000
/** Milliseconds between two pings of a client. */
const PING_EVERY = 30_000
/** Bytes buffered for a client above which the next line waits. */
const HIGH_WATER = 256 * 1024
/** Close code: policy violation (RFC 6455, 7.4.1). */
export const VIOLATION = 1008
const NO_TEXT = 1003

/**
 * Waits for the command: the first text message that is not blank (http-api 13).
 * @returns `undefined` when none arrives; the WebSocket is closed then
 */
export function firstMessage(socket: WebSocket): Promise<string | undefined> {
  return new Promise(resolve => {
    const late = setTimeout(() => socket.close(VIOLATION), PATIENCE)
    const onMessage = (data: Buffer, isBinary: boolean) => {
      const text = data.toString('utf8')
      if (isBinary) socket.close(NO_TEXT)
      else if (text.trim() !== '') done(text)
    }
    const onClose = () => done(undefined)
    const done = (text: string | undefined) => {
      clearTimeout(late)
      socket.off('message', onMessage).off('close', onClose)
      resolve(text)
    }
    socket.on('message', onMessage).once('close', onClose)
    socket.resume()
  })
}

/** Sends text messages in order, with backpressure. @throws Error when the client is gone */
export async function sendAll(socket: WebSocket, messages: readonly string[]): Promise<void> {
  for (const message of messages) {
    if (socket.bufferedAmount < HIGH_WATER) socket.send(message)
    else await sent(socket, message)
  }
}

const sent = (socket: WebSocket, message: string) =>
  new Promise<void>((resolve, reject) => {
    socket.send(message, error => (error ? reject(error) : resolve()))
  })

/**
 * Pings the client at intervals, and closes the connection when it does not answer. A client with unread data is not
 * pinged: its answer would queue behind that.
 * @returns stops the pings
 */
export function keepAlive(socket: WebSocket): () => void {
  let waiting = false
  const timer = setInterval(() => {
    if (socket.bufferedAmount > 0) return
    if (waiting) return socket.terminate()
    waiting = true
    socket.ping()
  }, PING_EVERY)
  socket.on('pong', () => {
    waiting = false
  })
  return () => clearInterval(timer)
}
