import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { LIMITS } from '../../server/limits.ts'
import type { Job } from '../../shared/api/jobs.ts'
import { json, person } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { asNobody, canBeNobody } from '../api/nobody.ts'
import { account, basic, openDav } from './dav-place.ts'

const place = await openDav()
const { dav, root } = place
const ann = await account(place)
const LOCKINFO =
  '<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'

/** The status of each item in a 207. */
const statusesIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<D:href>(.*?)<\/D:href><D:status>HTTP\/1.1 (\d+)/g)].map(([, href, status]) => [href, status]),
  )

describe('an item in a folder that another user has locked', () => {
  let top: string
  let disk: string
  beforeEach(async () => {
    top = `/${uniqueName('t')}`
    disk = join(root, top)
    for (const folder of ['docs/deep', 'other']) await mkdir(join(disk, folder), { recursive: true })
    await writeFile(join(disk, 'docs/deep/R&D.txt'), 'content')
    await writeFile(join(disk, 'other/b.txt'), 'other')
    expect((await dav('LOCK', `${top}/docs/deep/R&D.txt`, { user: ann.user, body: LOCKINFO })).status).toBe(200)
  })

  test.each([
    ['DELETE', 'docs', undefined],
    ['MOVE', 'docs', 'new'],
    ['COPY', 'other', 'docs'],
    ['MOVE', 'other', 'docs'],
  ])('is named where it prevents a %s of %s to %s, and nothing is changed', async (method, from, to) => {
    const headers = to === undefined ? {} : { Destination: `/dav${top}/${to}` }
    const answer = await dav(method, `${top}/${from}`, { headers })
    expect([answer.status, answer.headers['x-error-code']]).toEqual([207, 'locked'])
    expect(statusesIn(answer.body.toString())).toEqual({ [`/dav${top}/docs/deep/R%26D.txt`]: '423' })
    expect((await readdir(disk)).sort()).toEqual(['docs', 'other'])
    expect(await readFile(join(disk, 'docs/deep/R&D.txt'), 'utf8')).toBe('content')
    expect(await readFile(join(disk, 'other/b.txt'), 'utf8')).toBe('other')
  })

  test('is the whole refusal where it is the requested one', async () => {
    expect((await dav('DELETE', `${top}/docs/deep/R&D.txt`)).status).toBe(423)
  })
})

describe.runIf(canBeNobody)('a COPY of a folder with a file that the server cannot read', async () => {
  const options = await asNobody()
  const disk = join(options.home, 'srv')
  const server = await serve(options)
  const copy = async (to: string, from = 'docs') => {
    const headers = { Authorization: basic('admin', server.adminPassword), Destination: `/dav/${to}` }
    const answer = await fetch(`${server.url}/dav/${from}`, { method: 'COPY', headers })
    return { status: answer.status, members: statusesIn(await answer.text()) }
  }
  await mkdir(join(disk, 'docs/deep'), { recursive: true })
  for (const name of ['a.txt', 'deep/b.txt', 'deep/c.txt']) await writeFile(join(disk, 'docs', name), name)
  await chmod(join(disk, 'docs/deep/b.txt'), 0o600)
  await chmod(disk, 0o777)

  test('copies the others, and names this one', async () => {
    expect(await copy('new')).toEqual({ status: 207, members: { '/dav/docs/deep/b.txt': '403' } })
    const copied = await readdir(join(disk, 'new'), { recursive: true })
    expect(copied.sort()).toEqual(['a.txt', 'deep', 'deep/c.txt'])
  })

  test('leaves a folder at the goal as it is', async () => {
    await mkdir(join(disk, 'old'))
    await writeFile(join(disk, 'old/d.txt'), 'old')
    expect(await copy('old')).toEqual({ status: 207, members: { '/dav/docs/deep/b.txt': '403' } })
    expect(await readdir(join(disk, 'old'))).toEqual(['d.txt'])
    expect((await readdir(disk)).filter(name => name.startsWith('old'))).toEqual(['old'])
  })

  test('of more items than a request copies is a job, which names it, too, and stays in the list', async () => {
    await mkdir(join(disk, 'many/deep'), { recursive: true })
    const names = Array.from({ length: LIMITS.davEntriesAtOnce + 20 }, (_, index) => `${index}.txt`)
    for (const name of names) await writeFile(join(disk, 'many/deep', name), name)
    for (const name of ['7.txt', '11.txt']) await chmod(join(disk, 'many/deep', name), 0o600)
    const members = { '/dav/many/deep/11.txt': '403', '/dav/many/deep/7.txt': '403' }
    expect(await copy('several', 'many')).toEqual({ status: 207, members })
    const copied = await readdir(join(disk, 'several/deep'))
    expect(copied.sort()).toEqual(names.filter(name => name !== '7.txt' && name !== '11.txt').sort())
    const jobs = jobsOf(server, await person(server))
    const [job] = json(await jobs.list()) as Job[]
    expect(job).toMatchObject({ kind: 'copy', via: 'dav', state: 'done', count: { failed: 3 } })
    const { items } = await jobs.ended(job?.id ?? '')
    expect(items?.map(({ member }) => member).sort()).toContain('deep/7.txt')
  })
})
