import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../server/limits.ts'
import { parseS3Address } from '../../server/storage/s3/address.ts'
import { S3Client } from '../../server/storage/s3/client.ts'
import { listAll, putObject } from '../../server/storage/s3/objects.ts'
import type { AuditPage } from '../../shared/api/audit.ts'
import { call, json, person } from '../api/client.ts'
import { uniqueName } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { basic } from '../integration/dav-place.ts'
import { hasS3, sharedS3 } from './s3-store.ts'

describe.runIf(hasS3)('a long MOVE over WebDAV in a bucket', async () => {
  const { addressOf, credentials, env } = await sharedS3()
  const prefix = uniqueName('dav')
  const server = await serve({ root: addressOf(prefix), env })
  const { token } = await person(server)
  const client = new S3Client(parseS3Address(addressOf('')), credentials)
  const names = Array.from({ length: LIMITS.davEntriesAtOnce + 20 }, (_, index) => `${index} ü%.txt`).sort()

  const move = async (from: string, to: string, more: Record<string, string> = {}) => {
    const headers = {
      Authorization: basic('admin', server.adminPassword),
      Destination: `/dav/${to}`,
      Accept: '*/*',
      ...more,
    }
    return (await fetch(`${server.url}/dav/${from}`, { method: 'MOVE', headers })).status
  }
  async function objectsIn(folder: string): Promise<string[]> {
    const top = `${prefix}/${folder}/`
    const found: string[] = []
    for await (const { objects } of listAll(client, top, true)) found.push(...objects.map(({ key }) => key))
    return found.map(key => key.slice(top.length)).filter(name => name !== '')
  }
  async function plant(folder: string): Promise<void> {
    for (let start = 0; start < names.length; start += 20)
      await Promise.all(
        names
          .slice(start, start + 20)
          .map(name => putObject(client, `${prefix}/${folder}/${name}`, Buffer.from(`${folder} ${name}`), {})),
      )
  }
  const contentOf = async (path: string) => (await call(server, `/api/raw${path}`, { token })).text

  test('is a job that its request waits for, after which every object is at the goal and none at the source', async () => {
    await plant('from')
    expect(await move('from', 'to')).toBe(201)
    expect((await objectsIn('to')).sort()).toEqual(names)
    expect(await objectsIn('from')).toEqual([])
    expect(await contentOf(`/to/${encodeURIComponent(names[3] ?? '')}`)).toBe(`from ${names[3]}`)
    expect(json(await jobsOf(server, { token }).list())).toEqual([])
    const { rows }: AuditPage = json(await call(server, '/api/audit?path=/from', { token }))
    expect(rows.filter(({ action }) => action === 'move')).toMatchObject([
      { way: 'dav', outcome: 'done', target: '/to' },
    ])
  })

  test('replaces a folder as a whole, and none without Overwrite', async () => {
    await plant('new')
    await plant('old')
    await putObject(client, `${prefix}/old/beside.txt`, Buffer.from('beside'), {})
    expect(await move('new', 'old', { Overwrite: 'F' })).toBe(412)
    expect((await objectsIn('new')).sort()).toEqual(names)
    expect(await move('new', 'old')).toBe(204)
    expect((await objectsIn('old')).sort()).toEqual(names)
    expect(await contentOf(`/old/${encodeURIComponent(names[0] ?? '')}`)).toBe(`new ${names[0]}`)
    expect(await objectsIn('new')).toEqual([])
  })

  test('whose client goes away is done all the same, and stays in the list with its way', async () => {
    await plant('left')
    const gone = new AbortController()
    const headers = { Authorization: basic('admin', server.adminPassword), Destination: '/dav/arrived' }
    const moving = fetch(`${server.url}/dav/left`, { method: 'MOVE', headers, signal: gone.signal }).catch(
      () => undefined,
    )
    const jobs = jobsOf(server, { token })
    await expect.poll(async () => json(await jobs.list()).length).toBe(1)
    gone.abort()
    await moving
    const [{ id }] = json(await jobs.list())
    expect(await jobs.ended(id)).toMatchObject({
      kind: 'move',
      via: 'dav',
      state: 'done',
      count: { done: 1, failed: 0 },
    })
    expect((await objectsIn('arrived')).sort()).toEqual(names)
    expect(await objectsIn('left')).toEqual([])
    client.close()
  })
})
