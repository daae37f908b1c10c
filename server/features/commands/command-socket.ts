import type { WebSocket } from 'ws'

/** Milliseconds a client may take to say what it wants to run. */
const PATIENCE = 60_000
/** Milliseconds between two questions whether a client is still there. */
const PULSE = 30_000
/** Bytes on their way to a client above which the next line waits. */
const HIGH_WATER = 256 * 1024
/** The client broke a rule (RFC 6455, 7.4.1). */
export const VIOLATION = 1008
const NO_TEXT = 1003

/**
 * Waits for the command: the first text message that is not blank (http-api 13).
 * @returns nothing when none comes; the WebSocket is closed then
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

/** Sends text messages in order, and waits while the client does not take them. @throws Error when it is gone */
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
 * Asks from time to time whether the client is still there, and hangs up when it does not answer. One that has yet to
 * take what was sent to it is not asked: the answer would have to wait behind that.
 * @returns ends it
 */
export function keepAlive(socket: WebSocket): () => void {
  let waiting = false
  const timer = setInterval(() => {
    if (socket.bufferedAmount > 0) return
    if (waiting) return socket.terminate()
    waiting = true
    socket.ping()
  }, PULSE)
  socket.on('pong', () => {
    waiting = false
  })
  return () => clearInterval(timer)
}
