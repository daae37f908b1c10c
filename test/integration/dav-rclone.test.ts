import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { uniqueName } from '../api/harness.ts'
import { account, makeToken, openDav } from './dav-place.ts'

const run = promisify(execFile)
const place = await openDav()
const { id } = await account(place)
const { secret } = await makeToken(place, id)

const NAMES = [
  'plain.txt',
  'a b/c d.txt',
  '100 %/%20 %25.txt',
  'what?#&+=;,@$!.txt',
  `"quotes" and 'more' <b>.txt`,
  'Ünïcödé/日本語 🎉.txt',
  'decomposed e\u0301.txt',
  '.hidden/.dot',
  '~tilde [1] {2} (3)|^`.txt',
  'back\\slash.txt',
  'deep/er/and/deeper/end',
  'empty.txt',
]

let home: string
let far: string
let remote: string
let settings: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'rclone-'))
  settings = join(await mkdtemp(join(tmpdir(), 'rclone-')), 'rclone.conf')
  const top = `/${uniqueName('t')}`
  far = join(place.root, top)
  await mkdir(far)
  remote = `files:${top}`
  const how = [`url=${place.url}/`, 'vendor=owncloud', 'user=any', `pass=${secret}`, '--obscure']
  await rclone('config', 'create', 'files', 'webdav', ...how)
})
afterEach(async () => {
  for (const folder of [home, dirname(settings)]) await rm(folder, { recursive: true })
})

const rclone = (...args: string[]) => run('rclone', [...args, '--config', settings, '--retries', '1'])

async function fill(folder: string) {
  for (const [index, name] of NAMES.entries()) {
    const path = join(folder, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, name === 'empty.txt' ? '' : `content ${index}`)
    await utimes(path, 1_600_000_000 + index, 1_600_000_000 + index)
  }
}

const filesIn = async (folder: string) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()

test('rclone sync brings odd names here with their content and times, again what was changed, and deletes the rest', async () => {
  await fill(home)
  await rclone('sync', home, remote)
  expect(await filesIn(far)).toEqual([...NAMES].sort())
  expect((await stat(join(far, 'a b/c d.txt'))).mtimeMs).toBe(1_600_000_001_000)
  await rclone('check', '--download', home, remote)
  await writeFile(join(home, 'plain.txt'), 'CONTENT 0')
  await rm(join(home, 'deep'), { recursive: true })
  await rclone('sync', home, remote)
  expect(await readFile(join(far, 'plain.txt'), 'utf8')).toBe('CONTENT 0')
  expect((await readdir(far)).includes('deep')).toBe(false)
  await rclone('check', '--download', home, remote)
})

test('rclone sync takes odd names from here, and rclone check finds what differs', async () => {
  await fill(far)
  await rclone('sync', remote, home)
  expect(await filesIn(home)).toEqual([...NAMES].sort())
  await rclone('check', '--download', home, remote)
  await writeFile(join(far, 'plain.txt'), 'CONTENT 0')
  await expect(rclone('check', '--download', home, remote)).rejects.toThrow('1 differences found')
})
