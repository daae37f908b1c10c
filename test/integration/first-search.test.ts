import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { call, signIn } from '../api/client.ts'
import { serve } from '../api/instance.ts'
import { canInject, watching } from '../faults/inject.ts'

const FILES = 300

test.runIf(canInject)('a search without an index reads lists of names, and stats no file', async () => {
  const server = await serve({ args: ['--nameIndex', 'off'] })
  for (const folder of ['a', 'b', 'a/c']) {
    await mkdir(join(server.root, folder))
    for (let number = 0; number < FILES / 3; number++) await writeFile(join(server.root, folder, `${number}.txt`), '')
  }
  await writeFile(join(server.root, 'a/c', 'needle.txt'), '')
  const token = await signIn(server)
  const search = () => call(server, '/api/search/?query=needle', { token })
  // The thread of the first search loads its modules, too.
  await search()
  const { lines, result } = await watching(server.pid, 'stat,lstat,statx,newfstatat', search)
  expect(JSON.parse(result.text)).toEqual([{ path: 'a/c/needle.txt', dir: false }])
  expect(lines.length).toBeLessThan(FILES / 3)
})
