import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { call, json, type Person, person } from '../api/client.ts'
import { mayMount, mountSmallDisk, unmount } from '../api/disks.ts'
import type { OwnServer } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { snapshot } from '../api/snapshot.ts'

const OLD = 1_600_000_000

const countOf = async (server: OwnServer, { token }: Person): Promise<number> =>
  json(await call(server, '/api/trash', { token })).count

/** Deletes an item. @returns its id in the trash */
async function trash(server: OwnServer, who: Person, path: string): Promise<string> {
  expect((await who.remove(path)).status).toBe(204)
  return json(await call(server, '/api/trash', { token: who.token })).items[0].id
}

async function restore(server: OwnServer, { token }: Person, id: string) {
  const body = JSON.stringify({ items: [{ id }] })
  return json(await call(server, '/api/trash/restore', { method: 'POST', token, body })).results[0]
}

/** A server with a folder in which a disk appears later. */
async function place() {
  const server = await serve()
  const docs = join(server.root, 'docs')
  await mkdir(docs)
  const appear = (bytes: number) => {
    expect(mountSmallDisk(docs, bytes)).toBe(true)
    onTestFinished(() => void unmount(docs))
  }
  return { server, docs, appear, admin: await person(server) }
}

test.runIf(mayMount())(
  'TRASH-05 what comes back to a place that is another disk by now is copied there whole',
  async () => {
    const { server, docs, appear, admin } = await place()
    await mkdir(join(docs, 'tree/deep'), { recursive: true })
    await writeFile(join(docs, 'tree/deep/a.bin'), Buffer.alloc(3_000_001, 'bytes '))
    await writeFile(join(docs, 'tree/empty'), '')
    await symlink('deep/a.bin', join(docs, 'tree/link'))
    for (const name of ['tree/deep/a.bin', 'tree/deep', 'tree']) await utimes(join(docs, name), OLD, OLD)
    await writeFile(join(docs, 'one.txt'), 'one')
    const before = await snapshot(join(docs, 'tree'))
    const ids = [await trash(server, admin, '/docs/tree'), await trash(server, admin, '/docs/one.txt')]
    appear(16 * 2 ** 20)
    expect(await readdir(docs)).toEqual([])
    for (const id of ids) expect(await restore(server, admin, id)).toMatchObject({ state: 'done' })
    expect(await snapshot(join(docs, 'tree'))).toEqual(before)
    expect(await readFile(join(docs, 'one.txt'), 'utf8')).toBe('one')
    expect(await countOf(server, admin)).toBe(0)
    const areas = (await readdir(server.root)).filter(name => name.startsWith('.filigree-'))
    for (const area of areas) expect(await readdir(join(server.root, area, 'trash/files'))).toEqual([])
  },
)

test.runIf(mayMount())(
  'TRASH-05 what does not fit on that disk stays in the trash whole, and nothing of it is there',
  async () => {
    const { server, docs, appear, admin } = await place()
    await writeFile(join(docs, 'large.bin'), Buffer.alloc(3_000_000, 'bytes '))
    const id = await trash(server, admin, '/docs/large.bin')
    appear(2 ** 20)
    expect(await restore(server, admin, id)).toMatchObject({ state: 'failed', code: 'no_space' })
    expect(await readdir(docs)).toEqual([])
    expect(await countOf(server, admin)).toBe(1)
    const kept = await call(server, `/api/trash/raw/${id}`, { token: admin.token })
    expect(kept.text).toBe('bytes '.repeat(500_000))
  },
)
