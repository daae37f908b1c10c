import { describe, expect, test } from 'vitest'
import { parseS3Address } from '../../server/storage/s3/address.ts'
import { S3Client } from '../../server/storage/s3/client.ts'
import { putObject } from '../../server/storage/s3/objects.ts'
import { send } from '../api/accounts.ts'
import { call, encode, json, person } from '../api/client.ts'
import { ADMIN_PASSWORD, uniqueName } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { jobsOf } from '../api/jobs-client.ts'
import { hasS3, sharedS3 } from './s3-store.ts'

describe.runIf(hasS3)('PAT-11 a token of a folder in a bucket', async () => {
  const { addressOf, credentials, env } = await sharedS3()
  const prefix = uniqueName('tokens')
  const server = await serve({ root: addressOf(prefix), env })
  const files = await person(server)

  async function tokenOf(folder: string): Promise<string> {
    const body = { label: 'x', scopes: ['write'], folders: [folder], current_password: ADMIN_PASSWORD }
    const made = await send(server, 'POST', '/api/tokens', files.token, body)
    if (made.status !== 201) throw new Error(`no token: ${made.status} ${made.text}`)
    return json(made).token
  }

  const at = (path: string, token: string, more = {}) =>
    call(server, `/api/resources${encode(path)}`, { token, ...more })
  const statusOf = async (path: string, token: string) => (await at(path, token)).status
  const create = async (path: string) =>
    expect((await at(`${path}/`, files.token, { method: 'POST' })).status).toBe(200)
  const remove = async (path: string) => expect((await at(path, files.token, { method: 'DELETE' })).status).toBe(204)

  test('reaches the folder, not another one that was made again under its name', async () => {
    await create('/again')
    const token = await tokenOf('/again')
    expect((await at('/again/a.txt', token, { method: 'POST', body: 'a' })).status).toBe(200)
    expect([await statusOf('/again', token), await statusOf('/', token)]).toEqual([200, 403])
    await remove('/again')
    await create('/again')
    expect(await statusOf('/again', token)).toBe(403)
    expect((await at('/again/b.txt', token, { method: 'POST', body: 'b' })).status).toBe(403)
  })

  test('follows the folder that is renamed', async () => {
    await create('/before')
    const token = await tokenOf('/before')
    expect((await at('/before/a.txt', token, { method: 'POST', body: 'a' })).status).toBe(200)
    const moved = await jobsOf(server, files).run({ kind: 'move', items: [{ from: '/before', to: '/after' }] })
    expect(moved.items).toMatchObject([{ state: 'done' }])
    expect([await statusOf('/after/a.txt', token), await statusOf('/before', token)]).toEqual([200, 403])
  })

  test('finds a folder of other programs by its name, and by its object once there is one', async () => {
    const client = new S3Client(parseS3Address(addressOf('')), credentials)
    const put = (key: string) => putObject(client, `${prefix}/${key}`, Buffer.alloc(0), {})
    await put('bare/a.txt')
    const token = await tokenOf('/bare')
    expect([await statusOf('/bare/a.txt', token), await statusOf('/', token)]).toEqual([200, 403])
    await put('bare/')
    client.close()
    expect(await statusOf('/bare', token)).toBe(200)
    await remove('/bare')
    await create('/bare')
    expect(await statusOf('/bare', token)).toBe(403)
  })
})
