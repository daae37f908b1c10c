import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manager, newcomer, perm } from './accounts.ts'
import { call } from './client.ts'
import { openCommand, runCommand, startCommand } from './command-client.ts'
import { corner, openInstance } from './instance.ts'

const wire = await openInstance()
const admin = await manager(wire)
const page = await call(wire, '/')
const isOn = page.text.includes('"EnableExec":true')
const { path: scope, disk } = await corner(wire)
await mkdir(join(disk, 'sub'))
const ann = await newcomer(wire, admin, { scope, perm: perm('execute'), commands: ['printf', 'pwd'] })
const run = (line: string, folder = '/', query?: string) =>
  runCommand(wire, line, query === undefined ? { token: ann.token, folder } : { folder, query })

if (isOn) {
  test('a listed command runs, sends its lines and closes cleanly', async () => {
    expect(await run(String.raw`printf 'one\ntwo\n'`)).toEqual({ code: 1000, lines: ['one', 'two'] })
  })

  test('a command runs in the folder of its URL', async () => {
    const { lines } = await run('pwd', '/sub')
    expect(lines[0]).toMatch(/\/sub$/)
  })

  test('a token in the URL opens the socket', async () => {
    expect((await run('printf x', '/', `?auth=${ann.token}`)).lines).toEqual(['x'])
  })

  test.each(['ls', 'printf2', 'PRINTF', '/usr/bin/printf x', './printf', 'print'])(
    'a name that is not exactly on the list is refused: %s',
    async line => {
      expect(await run(line)).toEqual({ code: 1000, lines: ['Command not allowed.'] })
    },
  )

  test('the reason for a refusal is also the reason of the close', async () => {
    const { socket } = await startCommand(wire, 'ls', { token: ann.token })
    const reason = new Promise(resolve => socket.once('close', (_code, data: Buffer) => resolve(data.toString())))
    expect(await reason).toBe('not_allowed')
  })

  test('WS-01 WS-02 without a session, the right or the same origin the socket is refused', async () => {
    await expect(openCommand(wire)).rejects.toMatchObject({ status: 401, body: '401 Unauthorized\n' })
    const poor = await newcomer(wire, admin, { perm: perm('create') })
    await expect(openCommand(wire, { token: poor.token })).rejects.toMatchObject({ status: 403 })
    const headers = { Origin: 'http://elsewhere.example' }
    await expect(openCommand(wire, { token: ann.token, headers })).rejects.toMatchObject({ status: 403 })
  })
} else {
  test('without commands there is no such endpoint', async () => {
    await expect(openCommand(wire, { token: admin.token })).rejects.toMatchObject({ status: 404 })
  })
}
