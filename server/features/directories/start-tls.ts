import type { Socket } from 'node:net'

/** Extended request 1 for StartTLS (RFC 4511 4.14.1), in BER. */
const REQUEST = Buffer.concat([
  Buffer.from([0x30, 0x1d, 0x02, 0x01, 0x01, 0x77, 0x18, 0x80, 0x16]),
  Buffer.from('1.3.6.1.4.1.1466.20037'),
])
const SEQUENCE = 0x30
const EXTENDED_RESPONSE = 0x78
const ENUMERATED = 0x0a
/** The longest response that is read, in bytes. */
const LONGEST = 4096

/**
 * Asks a server to begin TLS. Bytes behind its response, which anyone on the way could add, end the connection: they
 * would count as the first ones inside TLS.
 * @throws Error when the server refuses, or responds with anything else
 */
export function requestTls(socket: Socket): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let received = Buffer.alloc(0)
  const onData = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    try {
      if (!isAccepted(received)) return
      settle()
      resolve()
    } catch (error) {
      settle()
      reject(error)
    }
  }
  const onEnd = () => {
    settle()
    reject(new Error('the server ended the connection instead of TLS'))
  }
  const settle = () => {
    socket.off('data', onData).off('close', onEnd).off('end', onEnd)
    socket.pause()
  }
  socket.on('data', onData).once('close', onEnd).once('end', onEnd)
  socket.write(REQUEST)
  return promise
}

/** Whether a response is complete. @throws Error unless it agrees */
function isAccepted(bytes: Buffer): boolean {
  const message = elementAt(bytes, 0)
  if (bytes.length > LONGEST || (message && message.end < bytes.length))
    throw new Error('more than a response to StartTLS')
  if (message && message.tag !== SEQUENCE) throw new Error('no response to StartTLS')
  if (!message || message.end > bytes.length) return false
  const id = elementAt(bytes, message.start)
  const response = id && elementAt(bytes, id.end)
  const result = response && elementAt(bytes, response.start)
  if (response?.tag !== EXTENDED_RESPONSE || result?.tag !== ENUMERATED || result.end > bytes.length)
    throw new Error('no response to StartTLS')
  const code = bytes.subarray(result.start, result.end)
  if (code.length !== 1 || code[0] !== 0) throw new Error(`the server refuses StartTLS (${code.toString('hex')})`)
  return true
}

/** The element of BER at an offset, with where its content starts and ends; `undefined` before its length is there. */
function elementAt(bytes: Buffer, at: number): { tag: number; start: number; end: number } | undefined {
  const [tag, first] = bytes.subarray(at)
  if (tag === undefined || first === undefined) return undefined
  if (first < 0x80) return { tag, start: at + 2, end: at + 2 + first }
  const size = first & 0x7f
  if (size === 0 || size > 4) throw new Error('no response to StartTLS')
  if (bytes.length < at + 2 + size) return undefined
  const length = bytes.readUIntBE(at + 2, size)
  return { tag, start: at + 2 + size, end: at + 2 + size + length }
}
