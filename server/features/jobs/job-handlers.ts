import { type FilePath, ROOT } from '../../../shared/path.ts'
import { NO_PERMISSIONS } from '../../../shared/permissions.ts'
import type { ExtractLimits } from '../../archives/extract/budget.ts'
import type { Audit } from '../../audit/audit.ts'
import type { Db, JobItemsTable, JobsTable } from '../../db/schema.ts'
import { AppError, asAppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/service.ts'
import type { TransferNote } from '../../files/transfer.ts'
import type { JobMap } from '../../jobs/job-map.ts'
import { listItems } from '../../jobs/jobs.store.ts'
import { type ItemResult, JobOver, type Tools, type Worker } from '../../jobs/run.ts'
import { findUser, type StoredUser } from '../users/users.store.ts'
import { decidedIn } from './conflict-decisions.ts'
import { demandExtract, extract, measureArchives } from './extract.ts'
import { recorded } from './job-audit.ts'
import { type ArchiveOptions, packArchive } from './pack.ts'

/** Deletions written to the database at a time. */
const DELETED_AT_ONCE = 64

export interface WorkDeps {
  config: { extract: ExtractLimits }
  db: Db
  files: FilesService
  audit: Audit
}

/** The journal of an item to be deleted. */
interface RemovalNote {
  identity: string | undefined
}

/** Runs jobs with the `Files` of their user, and with the rights the user has at that time. */
export function fileWorker(deps: WorkDeps): Worker {
  return {
    batch: ({ kind }) => (kind === 'delete' ? DELETED_AT_ONCE : 1),
    async prepare(job, { source }) {
      if (job.kind !== 'delete') return undefined
      const own = await ownFiles(deps, job)
      const identity = await own.identify(source as FilePath).catch(() => undefined)
      return { identity } satisfies RemovalNote
    },
    async work(job, item, tools) {
      const user = await ownerOf(deps, job)
      return recorded(deps, { job, item, user }, async () => {
        const own = await deps.files.for(user)
        if (job.kind === 'extract') return extract(own, { job, item, limits: deps.config.extract }, tools)
        return workOn(own, job, item, tools)
      })
    },
    async measure(job, signal) {
      if (job.kind === 'extract')
        return measureArchives(await ownFiles(deps, job), await listItems(deps.db, job.id), signal)
      if (job.kind !== 'copy' && job.kind !== 'archive') return undefined
      return measure(deps, job, signal)
    },
    discard: (job, item) => discard(deps, job, item),
  }
}

async function workOn(own: Files, job: JobsTable, item: JobItemsTable, tools: Tools): Promise<ItemResult> {
  if (job.kind === 'delete') return remove(own, job, item, tools)
  if (job.kind === 'archive') return packArchive(own, archiveOf(job, item), tools)
  return transfer(own, job, item, tools)
}

/** @throws JobOver when the user is deleted, or the scope has changed */
async function ownerOf({ db }: WorkDeps, { user_id, scope }: JobsTable): Promise<StoredUser> {
  const user = await findUser(db, user_id)
  if (!user || user.scope !== scope) throw new JobOver('unauthorized')
  return user
}

const ownFiles = async (deps: WorkDeps, job: JobsTable): Promise<Files> => deps.files.for(await ownerOf(deps, job))

async function remove(
  own: Files,
  { payload }: JobsTable,
  item: JobItemsTable,
  { signal, progress, noted }: Tools,
): Promise<ItemResult> {
  const path = item.source as FilePath
  const { identity } = (noted ?? {}) as Partial<RemovalNote>
  const { permanent = false }: JobMap['delete'] = JSON.parse(payload)
  const removed = (entries: number) => progress({ entries })
  try {
    const only = identity === undefined ? {} : { only: identity }
    const kept = await own.remove(path, { signal, removed, permanent, ...only })
    if (kept !== undefined) removed(1)
    return { state: 'done', ...(kept !== undefined && { kept }) }
  } catch (thrown) {
    // An earlier attempt has removed it; another object of that name was not meant.
    if (!(noted && identity !== undefined && asAppError(thrown).code === 'not_found')) throw thrown
  }
  return { state: 'done' }
}

async function transfer(own: Files, job: JobsTable, item: JobItemsTable, tools: Tools): Promise<ItemResult> {
  const how = {
    override: false,
    rename: false,
    ...decidedIn(job, item),
    signal: tools.signal,
    progress: tools.progress,
    journal: { noted: tools.noted as TransferNote | undefined, note: tools.note },
  }
  const [from, to] = [item.source as FilePath, (item.target ?? item.source) as FilePath]
  const went = await (job.kind === 'copy' ? own.copy(from, to, how) : own.move(from, to, how))
  return went === undefined ? { state: 'skipped' } : { state: 'done', target: went }
}

function archiveOf({ payload }: JobsTable, { target }: JobItemsTable): ArchiveOptions {
  const spec: JobMap['archive'] = JSON.parse(payload)
  return { ...spec, to: target as FilePath, sources: spec.sources as readonly FilePath[] }
}

async function measure(deps: WorkDeps, job: JobsTable, signal: AbortSignal) {
  const own = await ownFiles(deps, job)
  const sum = { bytes: 0, entries: 0 }
  for (const path of await sourcesOf(deps, job)) {
    const { bytes, entries } = await own
      .measure(path, signal, { carried: job.kind === 'copy' })
      .catch(() => ({ bytes: 0, entries: 0 }))
    signal.throwIfAborted()
    sum.bytes += bytes
    sum.entries += entries
  }
  return sum
}

async function sourcesOf({ db }: WorkDeps, { id, kind, payload }: JobsTable): Promise<readonly FilePath[]> {
  if (kind === 'archive') return (JSON.parse(payload) as JobMap['archive']).sources as readonly FilePath[]
  return (await listItems(db, id)).map(({ source }) => source as FilePath)
}

/** Removes the unfinished copy of a folder. It is looked up where it was begun, whatever the user's scope is now. */
async function discard({ files }: WorkDeps, { scope }: JobsTable, { journal }: JobItemsTable): Promise<void> {
  const noted: Partial<TransferNote> = (journal === null ? undefined : JSON.parse(journal)) ?? {}
  if (noted.made === undefined && noted.staged === undefined) return
  const anonymous = { scope, perm: NO_PERMISSIONS, rules: [], hideDotfiles: false }
  const place = await files.for(anonymous)
  await place.discardCopy(noted)
}

/** Checks an item of a job in advance, as far as that is possible. @returns the refusal's code */
export function refusalOf(own: Files, kind: string, from: FilePath, to: FilePath | undefined) {
  try {
    if (kind === 'delete') own.demandRemove(from)
    else if (kind === 'extract') demandExtract(own, to)
    else if (kind === 'archive') demandArchive(own, from)
    else if (to === undefined) throw new AppError('bad_request')
    else own.demandTransfer(kind === 'copy' ? 'copy' : 'move', from, to)
    return undefined
  } catch (thrown) {
    return asAppError(thrown).code
  }
}

function demandArchive(own: Files, from: FilePath): void {
  own.demandRead()
  if (from === ROOT) throw new AppError('forbidden')
}
