import { pino } from 'pino'
import { MOUNT_RIGHTS } from '../../shared/api/mounts.ts'
import { ROOT } from '../../shared/path.ts'
import { ALL_PERMISSIONS } from '../../shared/permissions.ts'
import { openLocalCluster } from '../cluster/local.ts'
import { openPostgresCluster } from '../cluster/postgres.ts'
import type { Config } from '../config.ts'
import { dependentsOf, openRoots, openServed } from '../context.ts'
import { isPostgres } from '../db/address.ts'
import type { Db } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { seenRoots } from '../features/groups/roots.store.ts'
import { Quotas } from '../features/quotas/quotas.ts'
import { stagingKey } from '../features/settings/settings.store.ts'
import { createFiles, type FilesService } from '../files/files-service.ts'
import type { KnownRoots } from '../files/mount-place.ts'
import { changeRecords } from '../history/changes.ts'
import { markRecords } from '../history/marks.ts'
import { historyRecords } from '../history/open-history.ts'
import { RecentWrites } from '../history/recent-writes.ts'
import type { RecoveryDeps } from '../history/recovery.ts'
import { trashRecords } from '../history/trash.ts'
import { Integrity } from '../integrity/integrity.ts'

/** An account of `Files` that may do everything in the whole served folder. */
export const inWholeFolder = (id = 0, username = '') => {
  return { id, username, scope: '', perm: ALL_PERMISSIONS, rules: [], hideDotfiles: false }
}

/** The same, with all of a further root as the folder of its name. */
export const withWholeRoot = (root: string, id = 0, username = '') => {
  const mount = { id: root, name: root, root, folder: ROOT, rights: MOUNT_RIGHTS, given: [], readOnly: false, since: 0 }
  return { ...inWholeFolder(id, username), receiving: ALL_PERMISSIONS, mounts: [mount] }
}

/**
 * The served folder for commands that read it; the rules of the acting user apply.
 * @throws AppError with a sentence for the console
 */
export async function openFiles(config: Config, db: Db): Promise<FilesService> {
  const storage = await openServed(config, { stagingKey: await stagingKey(db) })
  return createFiles({ storage, cluster: openLocalCluster(), globalRules: async () => [] })
}

/**
 * Runs `act` with the served folder and its recorded checksums; a server may use them concurrently.
 * @throws AppError with a sentence for the console
 */
export async function withIntegrity<T>(
  config: Config,
  db: Db,
  act: (open: { files: FilesService; integrity: Integrity }) => Promise<T>,
): Promise<T> {
  const storage = await openServed(config, { stagingKey: await stagingKey(db) })
  const cluster = openLocalCluster()
  const integrity = new Integrity({ db, cluster, storage, log: pino({ level: 'silent' }), config })
  try {
    const { sums } = integrity
    return await act({ files: createFiles({ storage, cluster, globalRules: async () => [], sums }), integrity })
  } finally {
    await integrity.sums.flush()
  }
}

/**
 * Runs `act` with the quotas of the served folder; a server may use them concurrently.
 * @throws AppError with a sentence for the console
 */
export async function withQuotas<T>(config: Config, db: Db, act: (quotas: Quotas) => Promise<T>): Promise<T> {
  const staging = { stagingKey: await stagingKey(db) }
  const storage = await openServed(
    config,
    staging,
    openRoots(config, { ...staging, seen: seenRoots(db) }, pino({ level: 'silent' })),
  )
  const cluster = isPostgres(config.database) ? await openPostgresCluster(config.database) : openLocalCluster()
  const quotas = new Quotas({ db, cluster, storage, isOnlyServer: false, log: pino({ level: 'silent' }) })
  try {
    return await act(quotas)
  } finally {
    await quotas.close()
    await cluster.close()
  }
}

/**
 * Runs `act` with the served folder and the tags of its items; a server may use them concurrently.
 * @throws AppError with a sentence for the console
 */
export async function withMarks<T>(config: Config, db: Db, act: (files: FilesService) => Promise<T>): Promise<T> {
  const storage = await openServed(config, { stagingKey: await stagingKey(db) })
  const recent = new RecentWrites({ db, log: pino({ level: 'silent' }) })
  const about = { storage, cluster: openLocalCluster(), globalRules: async () => [] }
  try {
    return await act(createFiles({ ...about, trash: trashRecords(db), marks: markRecords(db, recent) }))
  } finally {
    await recent.close()
  }
}

/** The trash of the served folder, for commands. */
export interface OpenTrash {
  /** Without the rules of the instance: the account of the host sees everything. */
  files: FilesService
  recovery: RecoveryDeps
  /** The further roots, if the configuration names any. */
  roots: KnownRoots | undefined
}

/** The served folder with its history, for commands that change files. */
interface OpenHistory
  extends Pick<OpenTrash, 'files' | 'roots'>,
    Pick<RecoveryDeps, 'cluster' | 'storage' | 'dependents'> {}

/**
 * Runs `act` with the served folder: its links, grants and tokens follow what is moved, and the history has it. A server may
 * use it concurrently.
 * @throws AppError with a sentence for the console
 */
export async function withHistory<T>(config: Config, db: Db, act: (open: OpenHistory) => Promise<T>): Promise<T> {
  const staging = { stagingKey: await stagingKey(db) }
  const roots = openRoots(config, { ...staging, seen: seenRoots(db) }, pino({ level: 'silent' }))
  const storage = await openServed(config, staging, roots)
  const cluster = isPostgres(config.database) ? await openPostgresCluster(config.database) : openLocalCluster()
  try {
    const dependents = dependentsOf(db, config)
    const records = historyRecords(config, db, changeRecords(db, cluster))
    const about = { storage, cluster, globalRules: async () => [], dependents, roots }
    const files = createFiles({ ...about, ...records, trash: trashRecords(db) })
    return await act({ files, roots, cluster, storage, dependents })
  } finally {
    await cluster.close()
  }
}

/**
 * Runs `act` with the trash of the served folder, and what is kept in the further roots; a server may use it concurrently.
 * @throws AppError with a sentence for the console
 */
export async function withTrash<T>(config: Config, db: Db, act: (trash: OpenTrash) => Promise<T>): Promise<T> {
  return withHistory(config, db, ({ files, roots, cluster, storage, dependents }) => {
    const { kept } = storage
    if (!kept) throw new AppError('unsupported', 'This storage has no trash.')
    return act({ files, recovery: { db, cluster, storage, kept, dependents }, roots })
  })
}
