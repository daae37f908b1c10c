import { type FilePath, ROOT } from '../../../shared/path.ts'
import { NO_PERMISSIONS } from '../../../shared/permissions.ts'
import type { ExtractLimits } from '../../archives/extract/budget.ts'
import type { Audit } from '../../audit/audit.ts'
import type { Db, JobItemsTable, JobsTable } from '../../db/schema.ts'
import { AppError, asAppError } from '../../errors.ts'
import { Recording } from '../../files/change-records.ts'
import type { Files } from '../../files/files.ts'
import type { FilesService } from '../../files/files-service.ts'
import type { TransferNote, TransferRequest } from '../../files/transfer.ts'
import type { RecordedChanges } from '../../history/changes.ts'
import type { JobKind, JobPayloads, Whole } from '../../jobs/job-kinds.ts'
import { listItems } from '../../jobs/jobs.store.ts'
import type { JobOrigin } from '../../jobs/jobs.ts'
import { type ItemResult, JobOver, type Tools, type Worker } from '../../jobs/run.ts'
import { KeptContents } from '../../responses/conditions.ts'
import { type ActingUser, findActingUser } from '../groups/acting-user.ts'
import { tokenIdIn } from '../tokens/session-ids.ts'
import type { Tokens } from '../tokens/tokens.ts'
import { decidedIn } from './conflict-decisions.ts'
import { measureEmptying, purgeItem } from './empty.ts'
import { demandExtract, extract, measureArchives } from './extract.ts'
import { findDuplicates } from './find-duplicates.ts'
import { demandResolve, resolveItem, verifyItem } from './integrity-jobs.ts'
import { recorded } from './job-audit.ts'
import { type ArchiveOptions, packArchive } from './pack.ts'
import { prepareRename, renameBatch, renameItem, takeBackCycle } from './rename.ts'
import { rewindStep, undoStep } from './undo.ts'

/** Deletions, or renames, written to the database at a time. */
const RECORDED_AT_ONCE = 64

export interface WorkDeps {
  config: { extract: ExtractLimits }
  db: Db
  files: FilesService
  audit: Audit
  changes: RecordedChanges
  tokens: Pick<Tokens, 'find'>
}

/** The journal of an item to be deleted. */
interface RemovalNote {
  identity: string | undefined
}

/** An item that is worked on, with its job. */
interface Work {
  own: Files
  job: JobsTable
  item: JobItemsTable
  db: Db
  limits: ExtractLimits
}

interface JobHandler {
  /** Checks an item in advance, as far as that is possible. @throws AppError */
  demand(own: Files, from: FilePath, to: FilePath | undefined): void
  work(work: Work, tools: Tools): Promise<ItemResult>
  /** What is recorded of an item before it is worked on. */
  prepare?(own: Files, job: JobsTable, item: JobItemsTable): Promise<unknown>
  /** The total work, where it can be known. */
  measure?(own: Files, job: JobsTable, items: readonly JobItemsTable[], signal: AbortSignal): Promise<Total | undefined>
  /** Items that are recorded together; 1 if omitted. */
  batch?(job: JobsTable): number
}

interface Total {
  bytes: number
  entries: number
}

/** What each kind of job does. */
const HANDLERS: Readonly<Record<JobKind, JobHandler>> = {
  copy: {
    demand: (own, from, to) => own.transfers.demand('copy', from, needed(to)),
    work: ({ own, job, item }, tools) => transfer('copy', own, { job, item }, tools),
    measure: (own, _job, items, signal) => measureTrees(own, sourcesOf(items), signal, { carried: true }),
  },
  move: {
    demand: (own, from, to) => own.transfers.demand('move', from, needed(to)),
    work: ({ own, job, item }, tools) => transfer('move', own, { job, item }, tools),
  },
  rename: {
    demand: (own, from, to) => own.transfers.demand('move', from, needed(to)),
    work: renameItem,
    prepare: prepareRename,
    batch: job => renameBatch(job, RECORDED_AT_ONCE),
  },
  delete: {
    demand: (own, from) => own.demandRemove(from),
    work: ({ own, job, item }, tools) => remove(own, job, item, tools),
    async prepare(own, _job, { source }) {
      const identity = await own.identify(source as FilePath).catch(() => undefined)
      return { identity } satisfies RemovalNote
    },
    batch: () => RECORDED_AT_ONCE,
  },
  extract: {
    demand: demandExtract,
    work: ({ own, ...work }, tools) => extract(own, work, tools),
    measure: (own, _job, items, signal) => measureArchives(own, items, signal),
  },
  undo: {
    demand: () => {},
    prepare: async () => ({}),
    work: ({ own, job, item }, tools) => undoStep(own, { job, item }, tools),
  },
  rewind: {
    demand: () => {},
    prepare: async () => ({}),
    work: ({ own, job, item }, tools) => rewindStep(own, { job, item }, tools),
  },
  verify: {
    demand: (own, from) => own.demandRead(from),
    work: ({ own, item }, tools) => verifyItem(own, item, tools),
    measure: (own, _job, items, signal) => measureTrees(own, sourcesOf(items), signal, { carried: false }),
  },
  duplicates: {
    demand: (own, from) => own.demandRead(from),
    work: ({ own, ...work }, tools) => findDuplicates(own, work, tools),
  },
  resolve: {
    demand: demandResolve,
    work: ({ own, job, item }, tools) => resolveItem(own, job, item, tools),
  },
  empty: {
    demand: () => {},
    work: ({ own, job, item }, tools) => purgeItem(own, job, item, tools),
    measure: (_own, job) => measureEmptying(job),
  },
  archive: {
    demand: demandArchive,
    work: ({ own, job, item }, tools) => packArchive(own, archiveOf(job, item), tools),
    measure: (own, { payload }, _items, signal) => measureTrees(own, archived(payload), signal, { carried: false }),
  },
}

/** Runs jobs with the `Files` of their user, and with the rights the user has at that time. */
export function fileWorker(deps: WorkDeps): Worker {
  return {
    batch: job => handlerOf(job.kind).batch?.(job) ?? 1,
    async prepare(job, item) {
      const { prepare } = handlerOf(job.kind)
      return prepare?.(await ownFiles(deps, job), job, item)
    },
    async work(job, item, tools) {
      const user = { ...(await ownerOf(deps, job)), recording: recordingOf(job) }
      return recorded(deps, { job, item, user }, async () => {
        const held = wholeOf(job)?.holding
        const own = await deps.files.for(user, held && new Set(held))
        return handlerOf(job.kind).work({ own, job, item, db: deps.db, limits: deps.config.extract }, tools)
      })
    },
    async measure(job, signal) {
      const { measure } = handlerOf(job.kind)
      return measure?.(await ownFiles(deps, job), job, await listItems(deps.db, job.id), signal)
    },
    discard: (job, item) => discard(deps, job, item),
  }
}

/** @throws JobOver for a kind of another version of the server */
function handlerOf(kind: string): JobHandler {
  const handler = HANDLERS[kind as JobKind]
  if (!handler) throw new JobOver('bad_request', `there is no job of the kind "${kind}"`)
  return handler
}

/**
 * The user of a job; narrowed where an API token ordered it.
 * @throws JobOver when the user is deleted, the token has ended, or the scope has changed
 */
async function ownerOf({ db, tokens }: WorkDeps, { user_id, session_id, scope }: JobsTable): Promise<ActingUser> {
  const tokenId = tokenIdIn(session_id)
  const user = tokenId === undefined ? await findActingUser(db, user_id) : (await tokens.find(tokenId))?.user
  if (!user || user.scope !== scope) throw new JobOver('unauthorized')
  return user
}

/** Kinds of jobs whose change is of the same kind, whatever its steps are. */
const NAMED_BY_JOB = ['archive', 'extract', 'undo', 'rewind'] as const

/** What a job changes is one change. */
function recordingOf(job: JobsTable): Recording {
  const { id, kind, session_id, origin } = job
  const { way = 'session' }: Partial<JobOrigin> = JSON.parse(origin)
  // A transfer has its name, not that of the removal before it.
  const named = NAMED_BY_JOB.find(name => name === kind) ?? (wholeOf(job) && (kind as 'copy' | 'move'))
  return new Recording({ way, session: session_id, job: id, kind: named })
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
  const use: JobPayloads['delete'] = JSON.parse(payload)
  const removed = (entries: number) => progress({ entries })
  const copied = (bytes: number) => progress({ bytes })
  try {
    const only = identity === undefined ? {} : { only: identity }
    const kept = await own.remove(path, { signal, removed, copied, ...use, ...only })
    if (kept !== undefined) removed(1)
    return { state: 'done', ...(kept !== undefined && { kept }) }
  } catch (thrown) {
    // An earlier attempt has removed it; another object of that name was not meant.
    if (!(noted && identity !== undefined && asAppError(thrown).code === 'not_found')) throw thrown
  }
  return { state: 'done' }
}

async function transfer(
  kind: 'copy' | 'move',
  own: Files,
  { job, item }: Pick<Work, 'job' | 'item'>,
  tools: Tools,
): Promise<ItemResult> {
  const { whole, verify = false }: JobPayloads['copy'] = JSON.parse(job.payload)
  const kept = new KeptContents()
  const along = {
    kept: kept.add,
    signal: tools.signal,
    progress: tools.progress,
    journal: { noted: tools.noted as TransferNote | undefined, note: tools.note },
  }
  const [from, to] = [item.source as FilePath, (item.target ?? item.source) as FilePath]
  const went = await (whole
    ? naming(from, tools, failed => own.transfers.whole(kind, from, to, { ...along, ...whole, failed }))
    : own.transfers[kind](from, to, { override: false, rename: false, ...along, ...decidedIn(job, item), verify }))
  if (went === undefined) return { state: 'skipped' }
  return { state: 'done', target: went, ...(kept.value !== undefined && { kept: kept.value }) }
}

/** Runs a transfer of a folder that goes past what cannot be read, and reports that. */
async function naming<T>(
  folder: FilePath,
  tools: Tools,
  act: (failed: NonNullable<TransferRequest['failed']>) => Promise<T>,
): Promise<T> {
  const reports: Promise<void>[] = []
  try {
    return await act((path, code) => {
      const part = { member: path.slice(folder.length + 1), target: undefined, code }
      reports.push(tools.failed(part).catch(() => {}))
    })
  } finally {
    await Promise.all(reports)
  }
}

function wholeOf({ kind, payload }: JobsTable): Whole['whole'] {
  return kind === 'copy' || kind === 'move' ? (JSON.parse(payload) as Whole).whole : undefined
}

function archiveOf({ payload }: JobsTable, { target }: JobItemsTable): ArchiveOptions {
  const spec: JobPayloads['archive'] = JSON.parse(payload)
  return { ...spec, to: target as FilePath, sources: archived(payload) }
}

const archived = (payload: string) => (JSON.parse(payload) as JobPayloads['archive']).sources as readonly FilePath[]

const sourcesOf = (items: readonly JobItemsTable[]) => items.map(({ source }) => source as FilePath)

async function measureTrees(
  own: Files,
  paths: readonly FilePath[],
  signal: AbortSignal,
  how: { carried: boolean },
): Promise<Total> {
  const sum = { bytes: 0, entries: 0 }
  for (const path of paths) {
    const { bytes, entries } = await own.measure(path, signal, how).catch(() => ({ bytes: 0, entries: 0 }))
    signal.throwIfAborted()
    sum.bytes += bytes
    sum.entries += entries
  }
  return sum
}

/**
 * Removes the unfinished copy of a folder, or takes back unfinished renames: where they were begun, whatever the user's
 * scope and rights are now.
 */
async function discard({ files, db }: WorkDeps, job: JobsTable, item: JobItemsTable): Promise<void> {
  const { journal } = item
  const nobody = { scope: job.scope, perm: NO_PERMISSIONS, rules: [], hideDotfiles: false }
  if (job.kind === 'rename') {
    const own = await files.for({ ...nobody, perm: { ...NO_PERMISSIONS, rename: true } })
    return takeBackCycle(own, db, job, item)
  }
  const noted: Partial<TransferNote> = (journal === null ? undefined : JSON.parse(journal)) ?? {}
  if (noted.made === undefined && noted.staged === undefined) return
  const place = await files.for(nobody)
  await place.transfers.discard(noted)
}

/** Checks an item of a job in advance, as far as that is possible. @returns the refusal's code */
export function refusalOf(own: Files, kind: JobKind, from: FilePath, to: FilePath | undefined) {
  try {
    HANDLERS[kind].demand(own, from, to)
    return undefined
  } catch (thrown) {
    return asAppError(thrown).code
  }
}

function needed(to: FilePath | undefined): FilePath {
  if (to === undefined) throw new AppError('bad_request')
  return to
}

function demandArchive(own: Files, from: FilePath): void {
  own.demandRead(from)
  if (from === ROOT) throw new AppError('forbidden')
}
