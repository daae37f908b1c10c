import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DuplicatesPage } from '../../shared/api/integrity.ts'
import { call, json, person } from '../api/client.ts'
import { mayMount, mountBtrfs, mountSmallDisk, unmount } from '../api/disks.ts'
import { startServer } from '../api/harness.ts'
import { jobsOf } from '../api/jobs-client.ts'

/** Runs a test with a server on a disk of its own. */
async function onDisk(mount: (folder: string) => boolean, act: (root: string) => Promise<void>) {
  const place = await mkdtemp(join(tmpdir(), 'duplicates-'))
  const root = join(place, 'root')
  try {
    if (mount(root)) await act(root)
  } finally {
    unmount(root)
    await rm(place, { recursive: true, force: true })
  }
}

/** Groups of paths as jdupes finds them. */
function foundByJdupes(root: string): string[][] {
  const text = execFileSync('jdupes', ['-r', '-q', '-X', 'nostr:.filigree', root], { encoding: 'utf8' })
  const groups = text.split('\n\n').map(group => group.split('\n').filter(line => line.startsWith(root)))
  return groups
    .filter(({ length }) => length > 1)
    .map(group => group.map(path => path.slice(root.length)).sort())
    .sort()
}

test.runIf(mayMount())('J12 duplicates are those of jdupes, and share their blocks afterwards on Btrfs', () =>
  onDisk(
    folder => mountBtrfs(folder, 'sub'),
    async root => {
      const content = Buffer.alloc(400_000, 'bytes of a video ')
      const files = { 'a.bin': content, 'deep/b.bin': content, 'c.txt': 'text', 'd.txt': 'text', 'e.txt': 'other' }
      await mkdir(join(root, 'deep'))
      for (const [name, bytes] of Object.entries(files)) await writeFile(join(root, name), bytes)
      const [a, b] = [join(root, 'a.bin'), join(root, 'deep/b.bin')]
      await chmod(b, 0o604)
      await utimes(b, 1_600_000_000, 1_600_000_000)
      const server = await startServer({ root })
      try {
        const admin = await person(server)
        const jobs = jobsOf(server, admin)
        const { id } = await jobs.run({ kind: 'duplicates', items: [{ from: '/' }], least: 1 })
        const page: DuplicatesPage = json(await call(server, `/api/duplicates/${id}`, { token: admin.token }))
        expect(page.groups.map(group => group.files.map(({ path }) => path).sort()).sort()).toEqual(foundByJdupes(root))
        expect(shared(b)).toBe(false)
        const items = [{ from: '/deep/b.bin', to: '/a.bin' }]
        const done = await jobs.run({ kind: 'resolve', act: 'reflink', items })
        expect(done.items).toMatchObject([{ state: 'done' }])
        expect(shared(a)).toBe(true)
        expect(shared(b)).toBe(true)
        const { mode, mtime, ino } = await stat(b)
        expect({ mode: mode & 0o777, mtime }).toEqual({ mode: 0o604, mtime: new Date(1_600_000_000_000) })
        expect(ino).not.toBe((await stat(a)).ino)
        expect((await readFile(b)).equals(content)).toBe(true)
      } finally {
        await server.stop()
      }
    },
  ),
)

test.runIf(mayMount())('a copy of a file shares its blocks on Btrfs', () =>
  onDisk(
    folder => mountBtrfs(folder, 'sub'),
    async root => {
      const content = Buffer.alloc(20 * 2 ** 20, 'bytes of a video ')
      await writeFile(join(root, 'video.bin'), content)
      const server = await startServer({ root })
      try {
        const jobs = jobsOf(server, await person(server))
        const copied = await jobs.run({ kind: 'copy', items: [{ from: '/video.bin', to: '/copy.bin' }] })
        expect(copied.items).toMatchObject([{ state: 'done' }])
        expect((await readFile(join(root, 'copy.bin'))).equals(content)).toBe(true)
        expect(shared(join(root, 'copy.bin'))).toBe(true)
      } finally {
        await server.stop()
      }
    },
  ),
)

/** Whether a file shares blocks with another one. */
function shared(path: string): boolean {
  execFileSync('sync', ['-f', path])
  const [, line = ''] = execFileSync('btrfs', ['filesystem', 'du', '--raw', path], { encoding: 'utf8' }).split('\n')
  const [total, exclusive] = line.trim().split(/\s+/).map(Number)
  return total !== undefined && total > 0 && exclusive === 0
}

test.runIf(mayMount())('a move to another disk compares each copy with its source on request', () =>
  onDisk(
    folder => mountSmallDisk(join(folder, 'other'), 8 * 2 ** 20),
    async root => {
      await mkdir(join(root, 'folder/deep'), { recursive: true })
      await writeFile(join(root, 'folder/a.bin'), Buffer.alloc(500_000, 'bytes '))
      await writeFile(join(root, 'folder/deep/b.txt'), 'b')
      const server = await startServer({ root })
      try {
        const jobs = jobsOf(server, await person(server))
        const copied = await jobs.run({ kind: 'copy', verify: true, items: [{ from: '/folder', to: '/other/copy' }] })
        expect(copied.items).toMatchObject([{ state: 'done' }])
        const moved = await jobs.run({ kind: 'move', verify: true, items: [{ from: '/folder', to: '/other/moved' }] })
        expect(moved.items).toMatchObject([{ state: 'done' }])
        for (const name of ['copy', 'moved'])
          expect(await readFile(join(root, 'other', name, 'deep/b.txt'), 'utf8')).toBe('b')
        await expect(stat(join(root, 'folder'))).rejects.toThrow('ENOENT')
      } finally {
        await server.stop()
        unmount(join(root, 'other'))
      }
    },
  ),
)
