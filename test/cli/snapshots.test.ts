import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()

test('snapshots ls lists the snapshots of the served folder, and the states of a file in them', async () => {
  const server = await serveOnce()
  const config = join(server.home, 'filigree.json')
  await writeFile(config, JSON.stringify({ snapshots: '{top}/.shots/at-%s' }))
  const where = ['-d', server.database, '-c', config]
  for (const second of [1_760_000_000, 1_760_000_100]) {
    const state = join(server.root, '.shots', `at-${second}`)
    await mkdir(state, { recursive: true })
    await writeFile(join(state, 'a.txt'), 'x'.repeat(second % 1000))
    await utimes(join(state, 'a.txt'), second, second)
  }
  await writeFile(join(server.root, 'a.txt'), 'now')
  const shell = await openConsole(server.home)
  const list = async (...args: string[]) => {
    const lines = await shell.ok('snapshots', 'ls', ...args, '--json', ...where)
    return lines
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  }
  expect(await list()).toMatchObject([
    { name: 'at-1760000100', time: '2025-10-09T08:55:00Z', source: 'pattern' },
    { name: 'at-1760000000', source: 'pattern' },
  ])
  expect((await list('/a.txt')).map(({ size, modified }) => [size, modified])).toEqual([
    [100, '2025-10-09T08:55:00Z'],
    [0, '2025-10-09T08:53:20Z'],
  ])
  const table = await shell.ok('snapshots', 'ls', '/a.txt', ...where)
  expect(table).toMatch(
    /^ID +Time +Source +Name +Bytes +Modified\n\w{32} +2025-10-09T08:55:00Z +pattern +at-1760000100 +100 /,
  )
})
