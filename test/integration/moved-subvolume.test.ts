import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { KeptItem } from '../../shared/api/trash.ts'
import { call, json, type Person, person } from '../api/client.ts'
import { mayMount, mountBtrfs, unmount } from '../api/disks.ts'
import { type OwnServer, startServer } from '../api/harness.ts'

async function onSubvolume(act: (root: string) => Promise<void>) {
  const place = await mkdtemp(join(tmpdir(), 'moved-subvolume-'))
  const root = join(place, 'root')
  try {
    if (mountBtrfs(root, 'sub')) await act(root)
  } finally {
    unmount(root)
    await rm(place, { recursive: true, force: true })
  }
}

const itemsOf = async (server: OwnServer, { token }: Person): Promise<KeptItem[]> =>
  json(await call(server, '/api/trash', { token })).items

async function restore(server: OwnServer, { token }: Person, id: string | undefined) {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ items: [{ id }] })
  return json(await call(server, '/api/trash/restore', { method: 'POST', token, headers, body })).results[0]
}

test.runIf(mayMount())('TRASH-10 what was deleted in a Btrfs subvolume comes back after that was renamed', () =>
  onSubvolume(async root => {
    const server = await startServer({ root })
    try {
      const admin = await person(server)
      await writeFile(join(root, 'sub/a.txt'), 'a')
      expect((await admin.remove('/sub/a.txt')).status).toBe(204)
      const query = new URLSearchParams({ action: 'rename', destination: '/photos' })
      const renamed = await call(server, `/api/resources/sub?${query}`, { method: 'PATCH', token: admin.token })
      expect(renamed.status).toBe(200)
      const [item] = await itemsOf(server, admin)
      expect(await restore(server, admin, item?.id)).toMatchObject({ state: 'done', to: '/photos/a.txt' })
      expect(await readFile(join(root, 'photos/a.txt'), 'utf8')).toBe('a')
    } finally {
      await server.stop()
    }
  }),
)

test.runIf(mayMount())('TRASH-10 a subvolume that another program renamed is found again at the next start', () =>
  onSubvolume(async root => {
    const first = await startServer({ root })
    const admin = await person(first)
    await writeFile(join(root, 'sub/a.txt'), 'a')
    expect((await admin.remove('/sub/a.txt')).status).toBe(204)
    const [item] = await itemsOf(first, admin)
    await first.end()
    await rename(join(root, 'sub'), join(root, 'photos'))
    const second = await startServer({ root, home: first.home })
    try {
      const again = await person(second)
      const raw = () => call(second, `/api/trash/raw/${item?.id}`, { token: again.token })
      await expect.poll(async () => (await raw()).status, { timeout: 30_000 }).toBe(200)
      expect((await raw()).text).toBe('a')
    } finally {
      await second.stop()
    }
  }),
)
