import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseS3Address } from '../../server/storage/s3/address.ts'
import { S3Client } from '../../server/storage/s3/client.ts'
import { newMeta } from '../../server/storage/s3/object-metadata.ts'
import { listAll, putObject, removeObjects } from '../../server/storage/s3/objects.ts'
import { each } from '../measure.mjs'

const MIB = 2 ** 20
/** Concurrent puts. */
const AT_ONCE = 16

/** Files by path: a folder of each size, and files for downloads. */
function* filesOf({ folders }) {
  for (const count of folders) {
    for (let number = 0; number < count; number++) yield [`f${count}/note ${number}.txt`, Buffer.from(`text ${number}`)]
  }
  yield ['book.bin', Buffer.alloc(4 * MIB, 'book')]
}

export function fillDisk(root, sizes) {
  for (const count of sizes.folders) mkdirSync(join(root, `f${count}`))
  for (const [path, content] of filesOf(sizes)) writeFileSync(join(root, path), content)
}

/** @returns empties it */
export async function fillBucket(root, credentials, sizes) {
  const address = parseS3Address(root)
  const client = new S3Client(address, credentials)
  const put = ([path, content]) => putObject(client, address.prefix + path, content, newMeta())
  for (const count of sizes.folders) await put([`f${count}/`, Buffer.alloc(0)])
  const files = [...filesOf(sizes)]
  await each(files.length, AT_ONCE, number => put(files[number]))
  return async () => {
    for await (const { objects } of listAll(client, address.prefix)) {
      await removeObjects(
        client,
        objects.map(({ key }) => key),
      )
    }
    client.close()
  }
}
