import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LOG_LIMITS, LogFile } from './log-file.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filigree-log-'))
})
afterEach(() => rm(folder, { recursive: true }))

const LINE = `${'x'.repeat(99)}\n`
const at = (time: number) => `app-${new Date(time).toISOString().replaceAll(':', '-')}.log`

test('lines are appended to the existing file, readable for its owner only', async () => {
  const path = join(folder, 'new/app.log')
  new LogFile(path).write('one\n')
  new LogFile(path).write('two\n')
  expect(await readFile(path, 'utf8')).toBe('one\ntwo\n')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test('a full file is rotated with all of its lines', async () => {
  const path = join(folder, 'app.log')
  const log = new LogFile(path, { ...LOG_LIMITS, bytes: 250 })
  for (let count = 0; count < 3; count++) log.write(LINE)
  const [aside = '', ...rest] = (await readdir(folder)).filter(name => name !== 'app.log')
  expect(rest).toEqual([])
  expect(aside).toMatch(/^app-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z\.log$/)
  expect(await readFile(join(folder, aside), 'utf8')).toBe(LINE + LINE)
  expect(await readFile(path, 'utf8')).toBe(LINE)
})

test('the newest rotated files are kept up to the maximum age, and no other file is deleted', async () => {
  const now = Date.now()
  const day = 24 * 3600 * 1000
  for (const name of [
    at(now - 20 * day),
    at(now - 3 * day),
    at(now - 2 * day),
    at(now - day),
    'app-notes.log',
    'b.log',
  ])
    await writeFile(join(folder, name), '')
  const log = new LogFile(join(folder, 'app.log'), { bytes: 150, files: 3, age: 14 * day })
  log.write(LINE)
  log.write(LINE)
  const names = await readdir(folder)
  expect(names).toEqual(expect.arrayContaining([at(now - 2 * day), at(now - day), 'app-notes.log', 'app.log', 'b.log']))
  expect(names).toHaveLength(6)
})

test('a deleted file is created again at the next rotation', async () => {
  const path = join(folder, 'app.log')
  const log = new LogFile(path, { ...LOG_LIMITS, bytes: 150 })
  log.write(LINE)
  await rm(path)
  log.write('after\n'.repeat(20))
  expect(await readFile(path, 'utf8')).toBe('after\n'.repeat(20))
})

test('by default ten files of 100 MiB are kept for fourteen days', () => {
  expect(LOG_LIMITS).toEqual({ bytes: 104_857_600, files: 10, age: 1_209_600_000 })
})
