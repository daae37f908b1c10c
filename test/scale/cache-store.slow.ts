import { randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { halves } from '../../server/features/previews/test-pictures.ts'
import { type CachePlace, cacheConformance } from '../../server/storage/conformance/cache-store.ts'
import { parseS3Address } from '../../server/storage/s3/address.ts'
import { openCacheS3 } from '../../server/storage/s3/cache-store.ts'
import { S3Client } from '../../server/storage/s3/client.ts'
import { headObject, listAll, putObject, removeObjects } from '../../server/storage/s3/objects.ts'
import type { ListedObject } from '../../server/storage/s3/page.ts'
import { unlessMissing } from '../../server/storage/s3/s3-errors.ts'
import type { Finding } from '../../shared/api/diagnostics.ts'
import { call, type Person, person } from '../api/client.ts'
import { type OwnServer, uniqueName } from '../api/harness.ts'
import { serve } from '../api/instance.ts'
import { hasPostgres, sharedPostgres } from './postgres.ts'
import { startRelay } from './relay.ts'
import { hasS3, sharedS3 } from './s3-store.ts'

interface BucketPlace extends CachePlace {
  address: string
  objects(): Promise<ListedObject[]>
}

async function bucketPlace(): Promise<BucketPlace> {
  const { credentials, addressOf } = await sharedS3()
  const address = addressOf(`cache-${randomBytes(6).toString('hex')}`)
  const client = new S3Client(parseS3Address(address), credentials)
  const { prefix } = parseS3Address(address)
  const open = () => openCacheS3({ address, credentials })
  const objects = async () => (await Array.fromAsync(listAll(client, prefix))).flatMap(page => page.objects)
  return {
    address,
    objects,
    files: await open(),
    again: open,
    plant: async path => void (await putObject(client, prefix + path, Buffer.from('mine'), {})),
    has: async path => (await unlessMissing(headObject(client, prefix + path))) !== undefined,
    async close() {
      const keys = (await objects()).map(({ key }) => key)
      await removeObjects(client, keys)
      client.close()
    },
  }
}

const tried = describe.runIf(hasS3)

tried('a place for caches', () => cacheConformance('in a bucket', bucketPlace))

async function place(): Promise<BucketPlace> {
  const made = await bucketPlace()
  onTestFinished(() => made.close())
  return made
}

/** A server that stores its previews there. */
async function showing(previewDir: string, how: { root?: string; database?: string } = {}) {
  const { env } = await sharedS3()
  const server = await serve({ ...how, env, args: ['--previewDir', previewDir] })
  return { server, owner: await person(server) }
}

/** A store that failed is not used for half a minute. */
const PATIENT = { timeout: 60_000, interval: 1000 }

const image = await halves(600, 400).png().toBuffer()
const put = (server: OwnServer, { token }: Person, path: string) =>
  call(server, `/api/resources${path}?override=true`, { method: 'POST', token, body: image })
const see = (server: OwnServer, { token }: Person, path: string) =>
  call(server, `/api/preview/thumb${path}?inline=true`, { token })

tried('previews in a bucket', () => {
  test.runIf(hasPostgres)('made by one server are sent by the other, and are not visible among the files', async () => {
    const { address, objects } = await place()
    const { addressOf } = await sharedS3()
    const how = { root: addressOf(uniqueName('served')), database: await (await sharedPostgres()).make() }
    const [maker, giver] = [await showing(address, how), await showing(address, how)]
    expect((await put(maker.server, maker.owner, '/a.png')).status).toBe(200)
    const made = await see(maker.server, maker.owner, '/a.png')
    await expect.poll(objects).toHaveLength(1)
    const before = await objects()
    const given = await see(giver.server, giver.owner, '/a.png')
    expect([made.status, given.status]).toEqual([200, 200])
    expect(given.bytes.equals(made.bytes)).toBe(true)
    expect(given.headers.get('etag')).toBe(made.headers.get('etag'))
    expect(await objects()).toEqual(before)
    const { token } = giver.owner
    expect((await call(giver.server, '/api/search/?query=', { token })).text).not.toContain(before[0]?.key ?? '')
    const listed = JSON.parse((await call(giver.server, '/api/resources/', { token })).text)
    expect(listed.items.map(({ name }: { name: string }) => name)).toEqual(['a.png'])
  })

  test('are made by the server itself while the store is unavailable or silent, and stored when it is back', async () => {
    const { address, objects } = await place()
    const relay = await startRelay(address)
    relay.cut()
    const { server, owner } = await showing(relay.address)
    const health = async (): Promise<Finding[]> =>
      JSON.parse((await call(server, '/api/doctor', { token: owner.token })).text)
    await put(server, owner, '/a.png')
    expect((await see(server, owner, '/a.png')).status).toBe(200)
    expect(await objects()).toEqual([])
    expect(await health()).toContainEqual({ code: 'storeAway', what: relay.address })
    relay.mend()
    await expect
      .poll(async () => [(await see(server, owner, '/a.png')).status, (await objects()).length], PATIENT)
      .toEqual([200, 1])
    expect(await health()).toContainEqual({ code: 'reached', what: relay.address })
    relay.freeze()
    await put(server, owner, '/b.png')
    expect((await see(server, owner, '/b.png')).status).toBe(200)
  })

  test.each([
    ['a wrong key', { accessKey: 'nobody' }, '', 'does not know this access key'],
    ['a missing bucket', {}, 'another-bucket-of-ours', 'Make it, or name another with --previewDir.'],
  ])('stop the start with a message for %s', async (_, wrong, bucket, sentence) => {
    const { credentials, addressOf } = await sharedS3()
    const address = bucket ? addressOf('').replace(/s3:\/\/[^/?]+/, `s3://${bucket}`) : addressOf('')
    const opening = openCacheS3({ address, credentials: { ...credentials, ...wrong } })
    await expect(opening).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(sentence) })
  })
})
