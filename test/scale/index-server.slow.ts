import { expect, test } from 'vitest'
import { parseS3Address } from '../../server/storage/s3/address.ts'
import { S3Client } from '../../server/storage/s3/client.ts'
import { putObject } from '../../server/storage/s3/objects.ts'
import { call, json, signIn } from '../api/client.ts'
import { type StartOptions, uniqueName } from '../api/harness.ts'
import { found, NEEDLES, SECRET, SIZES_OF_HOME, untilComplete } from '../api/indexed.ts'
import { serve } from '../api/instance.ts'
import { enrol, PASSWORD } from '../api/people.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'
import { startRelay } from './relay.ts'
import { hasS3, sharedS3 } from './s3-store.ts'

const ALWAYS = ['--nameIndex', 'always', '--logLevel', 'info']

/** A prefix of its own in the bucket, and a way to put objects there as another program would. */
async function fixture() {
  const { addressOf, credentials, env } = await sharedS3()
  const root = addressOf(uniqueName('indexed'))
  const address = parseS3Address(root)
  const client = new S3Client(address, credentials)
  const plant = async (...paths: string[]) => {
    for (const path of paths) await putObject(client, address.prefix + path, Buffer.alloc(0), {})
  }
  const start = (how: StartOptions = {}) => serve({ root, env, ...how, args: [...ALWAYS, ...(how.args ?? [])] })
  return { root, plant, start }
}

test.runIf(hasS3)('an index of a bucket finds recent changes, and only what the user may see', async () => {
  const { root, plant, start } = await fixture()
  await plant(...NEEDLES)
  const relay = await startRelay(root)
  const server = await start({ root: relay.address })
  await enrol(server, [{ name: 'ruled', scope: '/home', may: [], rules: SECRET }])
  const [owner, ruled] = [await signIn(server), await signIn(server, 'ruled', PASSWORD)]
  await untilComplete(server)
  expect(await found(server, owner, '/', 'NEEDLE')).toEqual(NEEDLES)
  expect(await found(server, ruled, '/', 'needle')).toEqual(['needle'])
  await call(server, '/api/resources/home/own%20needle', { method: 'POST', token: owner, body: 'x' })
  expect(await found(server, ruled, '/', 'needle')).toEqual(['needle', 'own needle'])
  const sizes = async (folder: string, token: string) => json(await call(server, `/api/sizes${folder}`, { token }))
  const usage = async (folder: string) => json(await call(server, `/api/usage${folder}?below=true`, { token: owner }))
  expect((await usage('/home/')).below).toEqual({ bytes: 1, files: 4, folders: 2 })
  expect(await sizes('/home/', owner)).toMatchObject(SIZES_OF_HOME)
  expect(await sizes('/', ruled)).toMatchObject({ state: 'known', files: 2, folders: 0, count: 2, bytes: 1 })
  expect((await call(server, '/api/sizes/secret/', { token: ruled })).status).toBe(403)
  await call(server, '/api/resources/home/secret/', { method: 'DELETE', token: owner })
  expect(await found(server, owner, '/', 'needle')).toEqual(['home/needle', 'home/own needle', 'needle.PDF'])
  const few = Array.from({ length: 30 }, (_, index) => `many/${index}/thread`)
  const requestsBy = async () => {
    const before = relay.asked()
    expect(await found(server, owner, '/', 'needle')).toHaveLength(3)
    return relay.asked() - before
  }
  const asked = await requestsBy()
  await plant(...few)
  expect(await requestsBy()).toBeLessThan(asked + 500)
})

test.runIf(hasS3)('an index of a bucket is correct again after kills, also in the middle of its scan', async () => {
  const { root, plant, start } = await fixture()
  await plant('home/needle', ...Array.from({ length: 1100 }, (_, index) => `many/${index % 9}/${index}`))
  const relay = await startRelay(root)
  relay.slow(2000)
  let server = await start({ root: relay.address })
  await server.end('SIGKILL')
  expect(await server.log()).not.toContain('is complete')
  relay.slow(0)
  await plant('home/late needle')
  server = await start({ root: relay.address, home: server.home, database: server.database })
  await untilComplete(server)
  expect(await found(server, await signIn(server), '/', 'needle')).toEqual(['home/late needle', 'home/needle'])
  await server.end('SIGKILL')
  await plant('home/later needle')
  server = await start({ root: relay.address, home: server.home, database: server.database })
  await untilComplete(server, 2)
  expect(await found(server, await signIn(server), '/', 'late')).toEqual(['home/late needle', 'home/later needle'])
  expect(await server.log()).not.toContain('thrown away')
})

test.runIf(hasS3 && hasPostgres)('a server is notified of the changes of another one in a bucket', async () => {
  const { plant, start } = await fixture()
  await plant('home/needle')
  const database = await (await sharedPostgres()).make()
  const [one, other] = [await start({ database }), await start({ database })]
  const token = await signIn(one)
  await untilComplete(one)
  await untilComplete(other)
  await call(one, '/api/resources/home/deep/own%20needle', { method: 'POST', token, body: 'x' })
  await expect.poll(() => found(other, token, '/', 'needle')).toEqual(['home/deep/own needle', 'home/needle'])
  await call(one, '/api/resources/home/deep/', { method: 'DELETE', token })
  await expect.poll(() => found(other, token, '/', 'needle')).toEqual(['home/needle'])
})
