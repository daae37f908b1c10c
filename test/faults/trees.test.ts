import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FolderResource, RecursiveItem } from '../../shared/api/resources.ts'
import { call, json, person } from '../wire/client.ts'
import { serve } from '../wire/instance.ts'
import { jobsOf } from '../wire/jobs-client.ts'
import { enrol, PASSWORD } from '../wire/people.ts'
import { memoryOf, watchMemory } from './memory.ts'
import { size } from './sizes.ts'

const server = await serve()
const owner = await person(server)

describe('DIR-04 of a tree that goes deeper than the longest path', () => {
  /** Half of the way down: two of them make a path that no system call takes. */
  const half = `${'d'.repeat(200)}/`.repeat(15)
  const deep = join(server.root, 'deep')
  beforeAll(async () => {
    for (const top of [deep, join(server.root, 'more')]) {
      await mkdir(join(top, half), { recursive: true })
      await writeFile(join(top, half, 'a.txt'), 'alpha')
    }
    await rename(join(server.root, 'more'), join(deep, half, 'more'))
  })

  test('archives hold what has a path, and name what they lack', async () => {
    const members = unzipSync(new Uint8Array((await owner.raw('/deep')).bytes))
    const textOf = (name: string) => Buffer.from(members[name] ?? []).toString()
    expect(textOf(`${half}a.txt`)).toBe('alpha')
    expect(textOf('_errors.txt')).toContain(`/deep/${half}more/`)
  })

  test('the last folder that can be opened is opened, and the next refused with the reason', async () => {
    const opened = async (path: string): Promise<{ path: string; status: number; code: string | null }> => {
      const answer = await owner.get(path)
      if (answer.status !== 200) return { path, status: answer.status, code: answer.headers.get('x-error-code') }
      const { items } = json(answer) as FolderResource
      const folder = items.find(({ isDir }) => isDir)
      return folder ? opened(`${path}${folder.name}/`) : { path, status: 200, code: null }
    }
    const end = await opened('/deep/')
    expect([end.status, end.code]).toEqual([400, 'name_too_long'])
    expect(end.path.length).toBeGreaterThan(4000)
  })

  test('a copy is told as one that lacks something', async () => {
    const job = await jobsOf(server, owner).run({ kind: 'copy', items: [{ from: '/deep', to: '/copied' }] })
    expect(job.items?.map(({ state }) => state)).toEqual(['failed'])
  })

  test('deleting takes all of it', async () => {
    for (const name of await readdir(server.root)) expect((await owner.remove(`/${name}`)).status).toBe(204)
    expect(await readdir(server.root)).toEqual([])
  })
})

test('DIR-06 a flat list of very many comes while it is made, in little memory, and begins with the rules', async () => {
  const count = size('FLAT', 4000)
  await enrol(server, [{ name: 'ruled', may: [], rules: [{ path: '/flat/3' }, { path: '/closed' }] }])
  await mkdir(join(server.root, 'closed'))
  const folders = 10
  for (let folder = 0; folder < folders; folder += 1) {
    const disk = join(server.root, 'flat', String(folder))
    await mkdir(disk, { recursive: true })
    for (let file = 0; file < count / folders; file += 1) await writeFile(join(disk, `file ${file}`), '')
  }
  const ruled = await person(server, 'ruled', PASSWORD)
  const list = (path: string, token: string) => call(server, `/api/resources/recursive${path}`, { token })
  const before = await memoryOf(server.pid)
  const stop = watchMemory(server.pid)
  const all: RecursiveItem[] = json(await list('/flat/', owner.token))
  expect(all).toHaveLength(count + folders)
  expect(stop() - before).toBeLessThan(150)
  const seen: RecursiveItem[] = json(await list('/flat/', ruled.token))
  expect(seen).toHaveLength((count / folders + 1) * (folders - 1))
  expect((await list('/closed/', ruled.token)).status).toBe(403)

  const answer = await fetch(`${server.url}/api/resources/recursive/flat/`, { headers: { 'X-Auth': owner.token } })
  const first = await answer.body?.getReader().read()
  expect(String(Buffer.from(first?.value ?? []))).toMatch(/^\[\{"path":"\/flat\/0"/)
  expect(first?.value?.length).toBeLessThan(JSON.stringify(all).length)
  await rm(join(server.root, 'flat'), { recursive: true })
})
