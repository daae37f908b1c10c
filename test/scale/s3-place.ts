import { randomBytes } from 'node:crypto'
import type { TestPlace } from '../../server/storage/conformance/place.ts'
import { parseS3Address } from '../../server/storage/s3/address.ts'
import { S3Client } from '../../server/storage/s3/client.ts'
import { versionsUnder } from '../../server/storage/s3/kept/versioning.ts'
import { fileKey, nameIn } from '../../server/storage/s3/keys.ts'
import { listAll, putObject, removeVersions } from '../../server/storage/s3/objects.ts'
import { readWhole } from '../../server/storage/s3/read.ts'
import { unlessMissing } from '../../server/storage/s3/s3-errors.ts'
import { openS3 } from '../../server/storage/s3.ts'
import { parsePath } from '../../shared/path.ts'
import { type S3Store, sharedS3, versionedBucket } from './s3-store.ts'

/** A prefix in a bucket; `address` is that of the store's root. */
export type BucketPlace = TestPlace & { client: S3Client; base: string; address: string }

export const bucketPlace = (): Promise<BucketPlace> => placeIn(undefined)

/** The same in a bucket that keeps the versions of its objects. */
export const versionedPlace = async (): Promise<BucketPlace> => placeIn(await versionedBucket())

async function placeIn(bucket: string | undefined): Promise<BucketPlace> {
  const { credentials, addressOf }: S3Store = await sharedS3()
  const topPrefix = `storage-${randomBytes(6).toString('hex')}`
  const address = addressOf(`${topPrefix}/inside`, bucket)
  const client = new S3Client(parseS3Address(address), credentials)
  const keyOf = (path: string) => fileKey(`${topPrefix}/`, parsePath(path))
  return {
    client,
    base: `${topPrefix}/inside/`,
    address,
    store: await openS3({ address, credentials }),
    plantFile: async (path, content) => void (await putObject(client, keyOf(path), Buffer.from(content), {})),
    plantLink: () => Promise.reject(new Error('there are no links in a bucket')),
    async names(path) {
      const prefix = `${keyOf(path)}/`
      const names: string[] = []
      for await (const { objects, folders } of listAll(client, prefix, true)) {
        const keys = [...objects.map(({ key }) => key), ...folders.map(folder => folder.slice(0, -1))]
        names.push(...keys.map(key => key.slice(prefix.length)).filter(name => name !== ''))
      }
      return names.map(name => nameIn(name) ?? name).sort()
    },
    content: async path => (await unlessMissing(readWhole({ client }, keyOf(path))))?.toString(),
    async close() {
      for await (const versions of versionsUnder(client, `${topPrefix}/`)) await removeVersions(client, versions)
      client.close()
    },
  }
}
