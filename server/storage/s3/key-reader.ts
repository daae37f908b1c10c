import { type FilePath, ROOT } from '../../../shared/path.ts'
import { AppError } from '../../errors.ts'
import type { CrawlableBucket, KeyReader } from '../crawlable.ts'
import { FACTS, type Known } from '../found-names.ts'
import { parseS3Address } from './address.ts'
import { S3Client } from './client.ts'
import { fileKey, folderKey, nameIn } from './keys.ts'
import { headObject, listPage } from './objects.ts'
import { unlessMissing } from './s3-errors.ts'

export function openKeyReader({ bucket, credentials }: CrawlableBucket): KeyReader {
  const address = parseS3Address(bucket)
  const client = new S3Client(address, credentials)
  const { prefix: base } = address
  return {
    async page(folder, next) {
      const prefix = folderKey(base, folder)
      const page = await listPage(client, prefix, { next })
      return {
        objects: page.objects.map(({ key, size }) => ({ rest: key.slice(prefix.length), size })),
        next: page.next,
      }
    },
    nameIn,
    known: path => knownAt(client, base, path).catch(nothingIfTooLong),
    close: () => client.close(),
  }
}

/** Where a file and a folder have the same name the folder takes precedence. */
async function knownAt(client: S3Client, base: string, path: FilePath): Promise<Known | undefined> {
  if (path === ROOT) return { fact: FACTS.folder, disk: 0 }
  const [inside, head] = await Promise.all([
    listPage(client, folderKey(base, path), { most: 1 }),
    unlessMissing(headObject(client, fileKey(base, path))),
  ])
  if (inside.objects.length > 0) return { fact: FACTS.folder, disk: 0 }
  return head && { fact: head.size, disk: head.size }
}

function nothingIfTooLong(thrown: unknown): undefined {
  if (!(thrown instanceof AppError) || thrown.code !== 'name_too_long') throw thrown
}
