import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { manager, newcomer, perm } from '../api/accounts.ts'
import { runCommand } from '../api/command-client.ts'
import { serve } from '../api/instance.ts'

const server = await serve({ args: ['--disableExec=false', '--execSandbox=none'] })
const ann = await newcomer(server, await manager(server), { perm: perm('execute'), commands: ['echo'] })

const FINAL = 0x80
const COMPRESSED = 0x40
const [CONTINUES, TEXT, CLOSE] = [0, 1, 8]

/** A frame as a client sends it (RFC 6455, 5.2), of at most 64 KiB. */
function frame(head: number, payload: Buffer, masked = true): Buffer {
  const length = Buffer.alloc(3)
  length.writeUInt8((masked ? 0x80 : 0) | 126, 0)
  length.writeUInt16BE(payload.length, 1)
  // A mask of zeros changes nothing.
  return Buffer.concat([Buffer.from([head]), length, Buffer.alloc(masked ? 4 : 0), payload])
}

/** A WebSocket written byte for byte. @returns the connection, and the code with which the server closes it */
async function rawSocket(): Promise<{ socket: Socket; code: Promise<number> }> {
  const socket = connect(server.port, server.host)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  let bytes = Buffer.alloc(0)
  const opened = Promise.withResolvers<void>()
  const code = new Promise<number>(resolve => {
    socket.on('data', (data: Buffer) => {
      bytes = Buffer.concat([bytes, data])
      const start = bytes.indexOf('\r\n\r\n')
      if (start < 0) return
      opened.resolve()
      const frameBody = bytes.subarray(start + 4)
      if (frameBody.length >= 4 && frameBody[0] === (FINAL | CLOSE)) resolve(frameBody.readUInt16BE(2))
    })
  })
  socket.write(
    `GET /api/command/ HTTP/1.1\r\nHost: ${server.host}\r\nX-Auth: ${ann.token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
      'Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n',
  )
  await opened.promise
  return { socket, code }
}

test.each([
  ['with bytes that are no UTF-8', 1007, [frame(FINAL | TEXT, Buffer.from([0xff, 0xfe]))]],
  ['without a mask', 1002, [frame(FINAL | TEXT, Buffer.from('ls'), false)]],
  ['that is compressed', 1002, [frame(FINAL | COMPRESSED | TEXT, Buffer.alloc(1000))]],
  ['that continues nothing', 1002, [frame(FINAL | CONTINUES, Buffer.from('ls'))]],
  [
    'of pieces without an end',
    1009,
    [frame(TEXT, Buffer.alloc(60_000, 'x')), frame(CONTINUES, Buffer.alloc(60_000, 'x'))],
  ],
])('WS-03 a message %s ends the WebSocket', async (_what, wanted, frames) => {
  const { socket, code } = await rawSocket()
  socket.write(Buffer.concat(frames))
  expect(await code).toBe(wanted)
})

test('WS-03 a hundred thousand tiny messages block no other request', async () => {
  const { socket } = await rawSocket()
  const blank = frame(FINAL | TEXT, Buffer.from(' '))
  socket.write(Buffer.concat(Array.from({ length: 100_000 }, () => blank)))
  expect((await runCommand(server, 'echo there', { token: ann.token })).lines).toEqual(['there'])
})
