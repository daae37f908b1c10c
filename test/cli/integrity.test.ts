import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { serveOnce, shareProcess } from './console.ts'

const openConsole = shareProcess()
const OLD = new Date('2020-01-01T00:00:00Z')

test('the console verifies files, lists duplicates and checksums, and shows the state of the checks', async () => {
  const server = await serveOnce()
  const shell = await openConsole(server.home)
  const folder = join(server.root, 'console-sums')
  const write = async (name: string, content: string) => {
    await writeFile(join(folder, name), content)
    await utimes(join(folder, name), OLD, OLD)
  }
  await mkdir(folder, { recursive: true })
  for (const name of ['a.txt', 'b.txt']) await write(name, 'the same')
  const on = ['-d', server.database]
  const lines = await shell.ok('manifest', '/console-sums', ...on)
  expect(lines).toMatch(/^[0-9a-f]{64} {2}a\.txt\n[0-9a-f]{64} {2}b\.txt\n$/)
  expect(await shell.ok('verify', 'console-sums', ...on)).toContain('2 files were read, 0 are not')
  const found = JSON.parse(await shell.ok('duplicates', 'console-sums', '--least', '1', '--json', ...on))
  expect(found).toMatchObject({ size: 8, paths: ['/console-sums/a.txt', '/console-sums/b.txt'] })
  await write('a.txt', 'changed!')
  const { code, out } = await shell.run('verify', '/console-sums', ...on)
  expect(code).toBe(1)
  expect(out).toContain('quiet: /console-sums/a.txt')
  expect(JSON.parse(await shell.ok('scrub', 'status', '--json', ...on))).toMatchObject({ scrub: 'off', open: 1 })
  expect(await shell.ok('scrub', 'status', ...on)).toContain('Open findings: 1.')
})
