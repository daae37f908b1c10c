import { type FilePath, ROOT } from '../../../../shared/path.ts'
import { AppError } from '../../../errors.ts'
import { FACTS, type Known } from '../../names/name-pages.ts'
import type { S3Client } from '../client.ts'
import { fileKey, folderKey } from '../keys.ts'
import { headObject, type ListPage, listPage } from '../objects.ts'
import { unlessMissing } from '../s3-errors.ts'

/** An index's queries to a store; they throw `AppError`. */
export interface Keys {
  /** Keys below a folder in order, across all subfolders. */
  page(folder: FilePath, next: string | undefined): Promise<KeyPage>
  /** The facts of a path; `undefined` if it does not exist. */
  known(path: FilePath): Promise<Known | undefined>
  /** Cancels all queries in progress. */
  close(): void
}

export interface KeyPage {
  objects: { /** What follows the folder's own key. */ rest: string; size: number }[]
  /** Continuation token. */
  next: string | undefined
}

/** @param base prefix of all keys */
export function keysBelow(client: S3Client, base: string): Keys {
  return {
    async page(folder, next) {
      const prefix = folderKey(base, folder)
      return toKeyPage(await listPage(client, prefix, { next }), prefix)
    },
    known: path => knownAt(client, base, path).catch(nothingIfTooLong),
    close: () => client.close(),
  }
}

const toKeyPage = ({ objects, next }: ListPage, prefix: string): KeyPage => ({
  objects: objects.map(({ key, size }) => ({ rest: key.slice(prefix.length), size })),
  next,
})

/** Where a file and a folder have the same name the folder takes precedence. */
async function knownAt(client: S3Client, base: string, path: FilePath): Promise<Known | undefined> {
  if (path === ROOT) return aFolder
  const [inside, head] = await Promise.all([
    listPage(client, folderKey(base, path), { most: 1 }),
    unlessMissing(headObject(client, fileKey(base, path))),
  ])
  if (inside.objects.length > 0) return aFolder
  return head && aFile(head.size)
}

export const aFolder: Known = { fact: FACTS.folder, disk: 0 }
export const aFile = (size: number): Known => ({ fact: size, disk: size })

function nothingIfTooLong(thrown: unknown): undefined {
  if (!(thrown instanceof AppError) || thrown.code !== 'name_too_long') throw thrown
}
