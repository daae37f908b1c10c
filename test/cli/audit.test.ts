import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { openConsole } from './console.ts'

test('LOG-01 the console records what it changed, verifies the log, and names the first invalid row', async () => {
  const { home, ok, refused } = await openConsole()
  await ok('config', 'init')
  await ok('users', 'add', 'ann', 'copper-anvil-drifts-9', '--scope', '/ann')
  await ok('users', 'ls')
  const rows = (await ok('audit', 'export'))
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(rows.map(({ action, way, target }) => [action, way, target])).toEqual([
    ['console', 'console', 'users add ann --scope'],
    ['console', 'console', 'config init'],
  ])
  const sound = await ok('audit', 'verify')
  expect(sound).toMatch(/^2 rows are unchanged\. The newest is 2:\S{43}$/m)
  const head = /\S+$/.exec(sound.trimEnd())?.[0] ?? ''
  await ok('audit', 'verify', '--head', head)
  expect(await refused('audit', 'verify', '--head', '2:other')).toContain('no longer in this audit log')
  const db = new DatabaseSync(join(home, 'filigree.db'))
  db.exec("update audit set target = 'users add bob' where id = 2")
  db.close()
  expect(await refused('audit', 'verify')).toBe('Row 2 was changed. 1 rows before it are unchanged.')
})
