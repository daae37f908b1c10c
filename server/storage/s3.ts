import { type FilePath, joinPath, ROOT } from '../../shared/path.ts'
import { KeyedLock } from '../lib/limit.ts'
import type { PathGuard, StorageDriver } from './driver.ts'
import { innerGuard } from './guard.ts'
import type { UnfinishedNotes } from './local/temp-names.ts'
import { parseS3Address, type S3Credentials } from './s3/address.ts'
import { sweepPlace } from './s3/cleanup.ts'
import { S3Client } from './s3/client.ts'
import { cannotUse } from './s3/config-errors.ts'
import { copyFile } from './s3/copy.ts'
import { keptIn } from './s3/kept/kept.ts'
import { newState } from './s3/kept/note.ts'
import { AREA, folderKey } from './s3/keys.ts'
import { listFolder } from './s3/list.ts'
import { movePath } from './s3/move.ts'
import { FactsCache } from './s3/object-metadata.ts'
import { listPage } from './s3/objects.ts'
import { makeFolder } from './s3/publish.ts'
import { openRead } from './s3/read.ts'
import { removePath } from './s3/remove.ts'
import { scanKeys } from './s3/scan.ts'
import type { Scope } from './s3/scope.ts'
import { discardFile, resumeFile, stageFile, stageResumable } from './s3/staged-file.ts'
import { demandFolder, statPath } from './s3/stat.ts'

export interface S3Options {
  /** `s3://bucket/prefix?endpoint=…&region=…` */
  address: string
  credentials: S3Credentials
  /** Whether files have presigned URLs. */
  presigned?: boolean
  /** Maximum number of objects in a folder that is copied to be kept; others are `too_far`. */
  trashCopyObjects?: number
  /** Records unfinished work, so that leftovers of a killed process are found later. */
  notes?: UnfinishedNotes
  /** Receives the folders that were listed. @param read returns its content, see `FACTS` */
  onListing?: (folder: FilePath, read: () => ReadonlyMap<string, number>) => void
}

/**
 * A part of a bucket as a store: folders are key prefixes, each with a marker object.
 * @throws AppError with a message for the console when the bucket cannot be used
 */
export async function openS3({
  address,
  credentials,
  presigned = false,
  trashCopyObjects = 100_000,
  notes,
  onListing,
}: S3Options): Promise<StorageDriver> {
  const parsed = parseS3Address(address)
  const client = new S3Client(parsed, credentials)
  try {
    await listPage(client, parsed.prefix, { most: 1 })
  } catch (thrown) {
    throw cannotUse(address, thrown, '--root')
  }
  const { prefix: base } = parsed
  return driverOf({
    client,
    base,
    area: base + AREA,
    guard: undefined,
    facts: new FactsCache(),
    kept: newState(trashCopyObjects),
    rootPath: ROOT,
    onListing,
    locks: new KeyedLock(),
    presigned,
    notes,
    unfinished: new Map(),
  })
}

function driverOf(scope: Scope): StorageDriver {
  return {
    stat: path => statPath(scope, path),
    list: folder => listFolder(scope, folder),
    read: file => openRead(scope, file),
    stage: (file, how) => stageFile(scope, file, how),
    mkdir: folder => makeFolder(scope, folder),
    remove: (path, how) => removePath(scope, path, how),
    move: (from, to, how) => movePath(scope, from, to, how),
    copy: (from, to, how) => copyFile(scope, from, to, how),
    within: (folder, guard) => storeIn(scope, folder, guard),
    scan: { names: folder => scanKeys(scope, folder), hasSizes: true },
    placeInRoot: canonical => joinPath(scope.rootPath, canonical),
    resumable: {
      stage: file => stageResumable(scope, file),
      resume: (name, size) => resumeFile(scope, name, size),
      discard: name => discardFile(scope, name),
    },
    kept: keptIn(scope, driverOf),
    cleanup: { sweep: (place, how) => sweepPlace(scope, place, how) },
  }
}

async function storeIn(scope: Scope, folder: FilePath, guard: PathGuard | undefined): Promise<StorageDriver> {
  await demandFolder(scope, folder)
  const base = folder === ROOT ? scope.base : folderKey(scope.base, folder)
  const rootPath = joinPath(scope.rootPath, folder)
  return driverOf({ ...scope, base, rootPath, guard: innerGuard(scope.guard, folder, guard) })
}
