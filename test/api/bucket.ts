import { mkdir, realpath, symlink } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { parseS3Address } from '../../server/storage/s3/address.ts'
import { S3Client } from '../../server/storage/s3/client.ts'
import { listAll, removeObjects } from '../../server/storage/s3/objects.ts'
import type { ListedObject } from '../../server/storage/s3/page.ts'
import type { Manifest } from './snapshot.ts'

/**
 * Set by `test/scale/with-bucket.ts`: the URL of a prefix in a bucket, and the folder at which it is mounted. Every
 * root that tests create then lies there; they fill and read it as on any disk, while the server uses the object store.
 */
const { FILIGREE_TEST_BUCKET: ADDRESS, FILIGREE_TEST_BUCKET_DISK: DISK } = process.env

/** Whether the servers of tests store their files in a bucket. */
export const inBucket = ADDRESS !== undefined && DISK !== undefined

/** Creates the folder `srv` in a home: a real one, or a link to one in the bucket. */
export async function makeRoot(home: string): Promise<void> {
  const root = join(home, 'srv')
  if (DISK === undefined) return void (await mkdir(root))
  const kept = join(DISK, basename(home))
  await mkdir(kept)
  await symlink(kept, root)
}

/** The value of `--root` for a folder: its URL if it lies in the bucket, else the folder. */
export async function servedAs(root: string): Promise<string> {
  if (ADDRESS === undefined || DISK === undefined) return root
  const inside = relative(DISK, await realpath(root).catch(() => root))
  if (inside.startsWith('..')) return root
  const address = new URL(ADDRESS)
  address.pathname += `/${inside}`
  return address.href
}

/** Variables with the credentials of the bucket; none without one. */
export function storeKeys(): Record<string, string> {
  if (!inBucket) return {}
  const { AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' } = process.env
  return { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY }
}

/** Everything below a folder as the store itself lists it, hidden objects included. */
export async function listedInBucket(root: string): Promise<Manifest> {
  const manifest: Manifest = {}
  await eachInBucket(root, async (objects, _, start) => {
    for (const { key, size, etag } of objects) manifest[key.slice(start)] = `${size} ${etag}`
  })
  return manifest
}

/** Deletes the content of a folder, which stays. */
export const emptyInBucket = (root: string): Promise<void> =>
  eachInBucket(root, (objects, client, start) =>
    removeObjects(
      client,
      objects.map(({ key }) => key).filter(key => key.length > start),
    ),
  )

async function eachInBucket(
  root: string,
  act: (objects: ListedObject[], client: S3Client, start: number) => Promise<void>,
): Promise<void> {
  const { AWS_ACCESS_KEY_ID: accessKey = '', AWS_SECRET_ACCESS_KEY: secretKey = '' } = storeKeys()
  const address = parseS3Address(await servedAs(root))
  const client = new S3Client(address, { accessKey, secretKey, sessionToken: '' })
  for await (const { objects } of listAll(client, address.prefix)) await act(objects, client, address.prefix.length)
  client.close()
}
