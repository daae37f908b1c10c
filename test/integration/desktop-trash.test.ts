import { execFileSync, spawnSync } from 'node:child_process'
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TrashPage } from '../../shared/api/trash.ts'
import { manager, perm } from '../api/accounts.ts'
import { call, json, type Person, person } from '../api/client.ts'
import { mayMount, mountImage, unmount } from '../api/disks.ts'
import { type OwnServer, startServer } from '../api/harness.ts'
import { EVERYTHING, PASSWORD } from '../api/people.ts'

/** Whether a program can be started here. */
const has = (program: string) => spawnSync(program, ['--version']).error === undefined
const canTry = mayMount() && has('gio') && has('trash-list')

/** Runs a test with a served folder that holds a mounted disk, `nas`; desktop programs ignore a tmpfs. */
async function onDisk(
  args: readonly string[],
  act: (server: OwnServer, at: { disk: string; run(program: string, ...args: string[]): string }) => Promise<void>,
): Promise<void> {
  const place = await mkdtemp(join(tmpdir(), 'desktop-trash-'))
  const root = join(place, 'root')
  const disk = join(root, 'nas')
  await mkdir(join(place, 'home'))
  const mounted = mountImage(disk, `${place}/image`, 'ext4', 32 * 2 ** 20)
  try {
    if (!mounted) return
    const server = await startServer({ root, args: [...args] })
    const env = { ...process.env, HOME: join(place, 'home') }
    const run = (program: string, ...rest: string[]) =>
      execFileSync(program, rest, { env, encoding: 'utf8', cwd: disk })
    try {
      await act(server, { disk, run })
    } finally {
      await server.stop()
    }
  } finally {
    unmount(disk)
    await rm(place, { recursive: true, force: true })
  }
}

const trashOf = async (server: OwnServer, { token }: Person): Promise<TrashPage> =>
  json(await call(server, '/api/trash', { token }))

const send = async (server: OwnServer, { token }: Person, path: string, body: object) => {
  const headers = { 'Content-Type': 'application/json' }
  return json(await call(server, path, { method: 'POST', token, headers, body: JSON.stringify(body) })).results
}

const canOf = (disk: string) => join(disk, `.Trash-${process.getuid?.()}`)

test.runIf(canTry)(
  'J2 what `gio trash` deletes on a disk is in the trash, and comes back with its bytes and time',
  () =>
    onDisk([], async (server, { disk, run }) => {
      const admin = await person(server)
      await mkdir(join(disk, 'docs/deep'), { recursive: true })
      await writeFile(join(disk, 'docs/ä 100%.txt'), 'content')
      await writeFile(join(disk, 'docs/deep/in.txt'), 'inside')
      await utimes(join(disk, 'docs/ä 100%.txt'), 1e9, 1e9)
      run('gio', 'trash', join(disk, 'docs/ä 100%.txt'), join(disk, 'docs/deep'))
      const { items } = await trashOf(server, admin)
      const facts = items.map(({ path, by, outside, until, isDir }) => ({ path, by, outside, until, isDir }))
      const program = { by: '', outside: true, until: undefined }
      expect(facts.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
        { path: '/nas/docs/deep', isDir: true, ...program },
        { path: '/nas/docs/ä 100%.txt', isDir: false, ...program },
      ])
      const folder = items.find(({ isDir }) => isDir)?.id
      const inside = await call(server, `/api/trash/raw/${folder}/in.txt`, { token: admin.token })
      expect(inside.text).toBe('inside')
      const results = await send(server, admin, '/api/trash/restore', { items: items.map(({ id }) => ({ id })) })
      expect(results.map(({ state }: { state: string }) => state)).toEqual(['done', 'done'])
      expect(await readFile(join(disk, 'docs/ä 100%.txt'), 'utf8')).toBe('content')
      expect((await stat(join(disk, 'docs/ä 100%.txt'))).mtimeMs).toBe(1e12)
      expect(run('trash-list')).not.toContain(disk)
      expect((await trashOf(server, admin)).items).toEqual([])
    }),
)

test.runIf(canTry)(
  'J1 `trash-list` names what was deleted here with its path, and `trash-restore` brings it back',
  () =>
    onDisk(['--trashPlace', 'desktop'], async (server, { disk, run }) => {
      const admin = await person(server)
      await mkdir(join(disk, 'docs'))
      await writeFile(join(disk, 'docs/a b%.txt'), 'content')
      expect((await admin.remove('/nas/docs/a b%.txt')).status).toBe(204)
      expect((await trashOf(server, admin)).items).toMatchObject([
        { path: '/nas/docs/a b%.txt', by: 'admin', mine: true },
      ])
      expect(run('trash-list')).toContain(` ${join(disk, 'docs/a b%.txt')}\n`)
      expect((await admin.get('/nas')).text).not.toContain('.filigree-')
      execFileSync('trash-restore', [], { cwd: join(disk, 'docs'), input: '0\n' })
      expect((await trashOf(server, admin)).items).toEqual([])
      expect((await admin.raw('/nas/docs/a b%.txt')).text).toBe('content')
    }),
)

test.runIf(canTry)('a shared trash can with the sticky bit comes before the own one, and a link never does', () =>
  onDisk(['--trashPlace', 'desktop'], async (server, { disk, run }) => {
    const admin = await person(server)
    for (const name of ['one', 'two', 'three']) await writeFile(join(disk, name), name)
    await mkdir(join(disk, 'elsewhere'), { mode: 0o777 })
    await symlink('elsewhere', join(disk, '.Trash'))
    expect((await admin.remove('/nas/one')).status).toBe(204)
    expect(await readdir(join(canOf(disk), 'files'))).toHaveLength(1)
    await rm(join(disk, '.Trash'))
    run('install', '-d', '-m', '1777', join(disk, '.Trash'))
    expect((await admin.remove('/nas/two')).status).toBe(204)
    expect(await readdir(join(disk, `.Trash/${process.getuid?.()}/files`))).toHaveLength(1)
    run('gio', 'trash', join(disk, 'three'))
    expect((await trashOf(server, admin)).items.map(({ name }) => name).sort()).toEqual(['one', 'three', 'two'])
    expect(await readdir(join(disk, 'elsewhere'))).toEqual([])
    const ids = (await trashOf(server, admin)).items.map(({ id }) => id)
    await send(server, admin, '/api/trash/purge', { ids })
    expect((await trashOf(server, admin)).items).toEqual([])
    expect(run('trash-list')).not.toContain(disk)
  }),
)

test.runIf(canTry)('a note with a hostile path leads nowhere else, and a trash can is reached by no path', () =>
  onDisk([], async (server, { disk, run }) => {
    const admin = await person(server)
    await writeFile(join(disk, 'a.txt'), 'a')
    run('gio', 'trash', join(disk, 'a.txt'))
    const can = canOf(disk)
    const note = (path: string) => `[Trash Info]\nPath=${path}\nDeletionDate=2026-11-27T10:00:00\n`
    const hostile = ['../../../../etc/out.txt', '/etc/out.txt', '..%2F..%2Fout.txt', 'lost/../../../out.txt']
    for (const [index, path] of hostile.entries()) {
      await writeFile(join(can, `files/h${index}`), 'hostile')
      await writeFile(join(can, `info/h${index}.trashinfo`), note(path))
    }
    const { items } = await trashOf(server, admin)
    for (const { path } of items) expect(path).toMatch(/^\/nas\/[^/]+$/)
    const results = await send(server, admin, '/api/trash/restore', { items: items.map(({ id }) => ({ id })) })
    for (const { to } of results) expect(to).toMatch(/^\/nas\/[^/]+$/)
    await expect(lstat('/etc/out.txt')).rejects.toThrow()
    const name = can.slice(disk.length)
    for (const path of [`/nas${name}`, `/nas${name.toUpperCase()}`, `/nas${name}/files/h0`]) {
      expect((await admin.get(path)).status).toBe(404)
      expect((await admin.remove(path)).status).toBe(404)
    }
    expect((await admin.put(`/nas${name}/files/new`, 'new')).status).toBe(400)
    expect((await admin.get('/nas')).text).not.toContain('.Trash')
    expect((await call(server, '/api/search/?query=trash', { token: admin.token })).text).not.toContain('.Trash')
    await mkdir(join(server.root, name))
    expect((await admin.get(name)).status).toBe(200)
  }),
)

test.runIf(canTry)(
  'others see what a program deleted in their folder, only administrators delete it for good, and `hide` shows nothing',
  () =>
    onDisk([], async (server, { disk, run }) => {
      const admin = await person(server)
      await mkdir(join(disk, 'anna'))
      for (const name of ['anna/mine.txt', 'other.txt']) await writeFile(join(disk, name), name)
      run('gio', 'trash', join(disk, 'anna/mine.txt'), join(disk, 'other.txt'))
      const fields = { password: PASSWORD, scope: '/nas/anna', perm: perm(...EVERYTHING) }
      await (await manager(server)).add('anna', fields)
      const anna = await person(server, 'anna', PASSWORD)
      const { items } = await trashOf(server, anna)
      expect(items.map(({ path, mine }) => ({ path, mine }))).toEqual([{ path: '/mine.txt', mine: false }])
      const ids = items.map(({ id }) => id)
      expect((await send(server, anna, '/api/trash/purge', { ids }))[0]).toMatchObject({ code: 'forbidden' })
      const second = await startServer({ root: server.root, args: ['--desktopTrash', 'hide'] })
      const other = await person(second)
      expect((await trashOf(second, other)).items).toEqual([])
      await second.stop()
      expect((await send(server, admin, '/api/trash/purge', { ids }))[0]).toMatchObject({ state: 'done' })
      expect(await readdir(join(canOf(disk), 'files'))).toEqual(['other.txt'])
    }),
)

test('J3 what is moved out of the area by hand leaves the trash, and the diagnostics say that a program took it', async () => {
  const server = await startServer({})
  try {
    const admin = await person(server)
    await writeFile(join(server.root, 'a.txt'), 'a')
    expect((await admin.remove('/a.txt')).status).toBe(204)
    const area = (await readdir(server.root)).find(name => name.startsWith('.filigree-')) ?? ''
    const files = join(server.root, area, 'trash/files')
    const [kept = ''] = await readdir(files)
    await rename(join(files, kept), join(server.root, 'a.txt'))
    const { items } = await trashOf(server, admin)
    const [result] = await send(server, admin, '/api/trash/restore', { items: items.map(({ id }) => ({ id })) })
    expect(result).toMatchObject({ state: 'failed', code: 'not_found' })
    expect((await trashOf(server, admin)).items).toEqual([])
    expect((await admin.raw('/a.txt')).text).toBe('a')
    const found = json(await call(server, '/api/doctor', { token: admin.token }))
    expect(found).toContainEqual({ code: 'keptLost', amount: 1 })
  } finally {
    await server.stop()
  }
})
