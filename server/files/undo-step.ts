import type { Readable } from 'node:stream'
import type { UndoObstacle, UndoOffer } from '../../shared/api/changes.ts'
import { type FilePath, parentOf, ROOT } from '../../shared/path.ts'
import type { Effect } from '../../shared/permissions.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { AppError, asAppError } from '../errors.ts'
import type { Entry, OpenFile } from '../storage/driver.ts'
import type { Base } from './base.ts'
import { type ChangeRecords, EMPTY, type OwnSteps, type StepRecord, type StepRef, stampOf } from './change-records.ts'
import type { FilesContext } from './changes.ts'
import type { SeenStep } from './history.ts'
import type { LinkRecords } from './link-records.ts'
import type { Recorder } from './recorder.ts'
import type { RestoreChoice } from './restore.ts'
import type { Transfers } from './transfers.ts'
import type { Trash } from './trash.ts'
import type { SeenVersion } from './versions.ts'
import { walk } from './walk.ts'
import type { WriteRequest } from './writing.ts'

/** The operations of one user that an undo is made of. */
export interface UndoTools {
  context: FilesContext & { record: Recorder }
  /** The scope's place in the served root. */
  base: Base
  cluster: Pick<Cluster, 'lock'>
  /** Only where there are share links. */
  links: LinkRecords | undefined
  files: {
    trash: Pick<Trash, 'isOn' | 'find' | 'goalOf' | 'restore'>
    transfers: Pick<Transfers, 'move' | 'withFreeName'>
    makeFolder(path: FilePath): Promise<void>
    /** A version, to read. */
    version(id: string): Promise<{
      files: { open(path: FilePath): Promise<OpenFile> }
      path: FilePath
      kept: Pick<SeenVersion, 'modified' | 'mode' | 'isAway'>
    }>
    write(path: FilePath, body: Readable, request: WriteRequest): Promise<Entry>
    save(path: FilePath, body: Readable, request: Omit<WriteRequest, 'override'>): Promise<Entry>
    /** Moves to the trash. */
    remove(path: FilePath, how: { only: string; trash: 'only' }): Promise<unknown>
  }
}

/** The user's choices for one step. */
export interface UndoDecisions {
  choose(path: FilePath): RestoreChoice | undefined
  offer: UndoOffer | undefined
}

/** What the undo of a step does, if it can. */
export interface Plan {
  path: FilePath
  to?: FilePath
  /** What a move takes back. */
  moves?: Entry
  why?: UndoObstacle
  offers?: readonly UndoOffer[]
  /** Only if the step looks as if it were undone already: notes what that was. */
  noteDone?(): void
  /** @returns where the item is then, if it is not in the trash */
  act?(): Promise<FilePath | undefined | 'skipped'>
}

/** A step to undo. */
export interface UndoWork {
  seen: SeenStep
  /** When its change ended, in milliseconds since the epoch. */
  since: number
  /** What newer steps would have moved to the trash by then. */
  gone: ReadonlySet<FilePath>
  /** What newer steps would have moved back by then, and where they would have left nothing. */
  moved?: ReadonlyMap<FilePath, Entry | undefined>
  decisions: UndoDecisions
  /** Only where a folder is rewound: what was done for that so far. */
  own?: OwnSteps
  /** The restoration whose undo put the item into the trash again. */
  restored?: StepRef | undefined
}

/** The most entries that are read, and milliseconds, to find out whether a folder was changed. */
const MOST_LOOKS = 10_000
const LONGEST_LOOK = 1000
/** Recorded writes that are followed from one content of a file to another. */
const MOST_WRITES = 200

/** How a step can be undone now. */
export async function inverseOf(tools: UndoTools, records: ChangeRecords, work: UndoWork): Promise<Plan> {
  const { step, path } = work.seen
  if (step.state === 'undone') return { path, why: 'undone' }
  if (step.state === 'open') return { path, why: 'open' }
  if (step.state === 'lost') return { path, why: 'gone' }
  if (step.kind === 'trash') return backFromTrash(tools, work)
  if (step.kind === 'move') return backFromMove(tools, records, work)
  if (step.kind === 'purge') return { path, why: 'final' }
  if (step.kind === 'replace') return formerContent(tools, work)
  if (step.kind === 'link') return step.settings === undefined ? otherLink(tools, work) : formerSettings(tools, work)
  return intoTrash(tools, records, work)
}

async function backFromTrash({ context, files: { trash } }: UndoTools, work: UndoWork): Promise<Plan> {
  const { seen, decisions, own, restored } = work
  const { step } = seen
  const again = restored && (await own?.keptOf(restored))
  const id = again ?? step.kept ?? ''
  const kept = await trash.find(id).catch(unlessMissing)
  const path = kept && again === undefined ? await trash.goalOf(kept) : seen.path
  const standing = await entryBy(context, work, path)
  const isBack = standing !== undefined && standing.identity === step.was
  if (!kept) return { path, why: 'gone', ...(isBack && { noteDone: () => context.record.restored(standing, id) }) }
  const refused = refusalOf(context, 'create', path)
  if (refused) return { path, why: refused }
  if (standing && !decisions.choose(path)) return { path, why: 'taken' }
  const act = async () => (await trash.restore(id, { choose: decisions.choose, to: path })) ?? 'skipped'
  return { path, act }
}

async function backFromMove(
  { context, base, files }: UndoTools,
  records: ChangeRecords,
  work: UndoWork,
): Promise<Plan> {
  const { seen, decisions, own } = work
  const { path: to, to: path, step } = seen
  if (path === undefined || base.placeOf(to) !== step.place) return { path: to, why: 'forbidden' }
  const [there, standing] = [await entryBy(context, work, path), await entryBy(context, work, to)]
  const isMoved = there && (await isOf(records, step.target ?? step.place, step.made, there))
  if (!there || !(isMoved || (await own?.stampOf(there.identity)))) {
    const isBack = standing !== undefined && standing.identity === step.made
    const noteDone = () => standing && context.record.moved({ ...standing, path }, to, standing.identity)
    return { path, to, why: 'gone', ...(isBack && { noteDone }) }
  }
  const refused = refusalOf(context, 'rename', to)
  if (refused) return { path, to, why: refused }
  const isSame = standing !== undefined && standing.identity === there.identity
  const choice = decisions.choose(to)
  if (standing && !isSame && !choice) return { path, to, why: 'taken' }
  const act = async () => {
    if (standing && !isSame && choice === 'skip') return 'skipped'
    if (standing && !isSame && choice === 'replace') await files.remove(to, { only: standing.identity, trash: 'only' })
    if (!standing) await files.makeFolder(parentOf(to))
    return (
      (await files.transfers.move(path, to, { override: false, rename: choice === 'keepBoth' && !isSame })) ?? 'skipped'
    )
  }
  return { path, to, moves: there, act }
}

/** What is at a path by the time of a step. */
async function entryBy({ store }: FilesContext, { moved }: UndoWork, path: FilePath): Promise<Entry | undefined> {
  return moved?.has(path) ? moved.get(path) : store.stat(path)
}

/** The undo of what replaced a content: the former one replaces it, and the present one becomes a version. */
async function formerContent({ context, files }: UndoTools, { seen, decisions, own }: UndoWork): Promise<Plan> {
  const { path, step } = seen
  const version = step.kept === undefined ? undefined : await files.version(step.kept).catch(unlessMissing)
  const there = await context.store.stat(path)
  if (!version || version.kept.isAway) return { path, why: 'gone' }
  const refused = refusalOf(context, there ? 'replace' : 'create', path)
  if (refused) return { path, why: refused }
  const isLeft = !there || isAsMade(there, step)
  const isUntouched = isLeft || (await own?.stampOf(there.identity)) === stampOf(there)
  const offers: readonly UndoOffer[] = there && there.kind !== 'file' ? ['copy'] : ['copy', 'over']
  const offer = offers.find(each => each === decisions.offer)
  if (!isUntouched && !offer) return { path, why: 'changed_since', offers }
  const act = () => putBack(files, version, path, { there, isOther: !isUntouched && offer === 'copy' })
  return { path, act }
}

/** Writes the content of a version to a path, or to a free one next to it. @returns the path */
async function putBack(
  files: UndoTools['files'],
  { files: view, path: from, kept }: Awaited<ReturnType<UndoTools['files']['version']>>,
  path: FilePath,
  { there, isOther }: { there: Entry | undefined; isOther: boolean },
): Promise<FilePath> {
  const content = await view.open(from)
  const { size: length } = content.entry
  const create = async (free: FilePath) => {
    const about = { modified: kept.modified, mode: kept.mode & 0o777 }
    await files.write(free, content.stream(), { override: false, length, ...about })
    return free
  }
  try {
    if (isOther) return await files.transfers.withFreeName(path, create)
    if (!there) return await create(path)
    await files.save(path, content.stream(), { length, reason: 'undo', ifMatch: there.version })
    return path
  } finally {
    await content.close()
  }
}

/** The undo of a link that was made removes it, and that of one that was removed brings it back if its object is there. */
async function otherLink({ context, links }: UndoTools, { seen }: UndoWork): Promise<Plan> {
  const { path, step } = seen
  const { kept: id = '', isFolder } = step
  const wasRemoved = step.made === undefined
  const link = await links?.find(id, step.place)
  if (!links || !link) return { path, why: 'gone' }
  const { identity } = link
  const noteDone = () => context.record.linked(path, { id, identity, isFolder, did: wasRemoved ? 'made' : 'removed' })
  if (link.isRemoved !== wasRemoved) return { path, why: 'gone', noteDone }
  const refused = refusalOf(context, 'share', path)
  if (refused) return { path, why: refused }
  if (wasRemoved && (await context.store.stat(path))?.identity !== identity) return { path, why: 'gone' }
  const act = async () => {
    if (!(await (wasRemoved ? links.bringBack(id) : links.remove(id, step.place)))) throw new AppError('gone')
    noteDone()
    return undefined
  }
  return { path, act }
}

/** The undo of what changed the settings of a link. One that would let visitors do more than now needs a decision. */
async function formerSettings({ context, links }: UndoTools, { seen, decisions }: UndoWork): Promise<Plan> {
  const { path, step } = seen
  const { kept: id = '', made: identity = '', settings = '', isFolder } = step
  const refused = refusalOf(context, 'share', path)
  if (!links || refused) return { path, why: refused ?? 'unsupported' }
  const why = await links.obstacle(id, step.place, settings)
  const isOffered = why === 'reopens' || why === 'changed_since'
  if (why && !isOffered) return { path, why }
  if (why && decisions.offer !== 'settings') return { path, why, offers: ['settings'] }
  const act = async () => {
    const did = await links.setBack(id, step.place, settings)
    if (did === undefined) throw new AppError('gone')
    context.record.linked(path, { id, identity, isFolder, did: 'changed', settings: did })
    return undefined
  }
  return { path, act }
}

/** The undo of what made something: it goes to the trash. */
async function intoTrash(
  tools: UndoTools,
  records: ChangeRecords,
  { seen, since, gone, decisions, own }: UndoWork,
): Promise<Plan> {
  const { context, files } = tools
  const { path, step } = seen
  const there = await context.store.stat(path)
  if (!there || !(await isOf(records, step.place, step.made, there))) return { path, why: 'gone', noteDone() {} }
  if (!files.trash.isOn) return { path, why: 'unsupported' }
  const refused = refusalOf(context, 'remove', path)
  if (refused) return { path, why: refused }
  const isUntouched =
    step.kind === 'restore' || (await isUnchanged(context, { there, since, gone, byFiles: own !== undefined, ...step }))
  if (!isUntouched && decisions.offer !== 'trash') return { path, why: 'changed_since', offers: ['trash'] }
  const act = async () => {
    await files.remove(path, { only: there.identity, trash: 'only' })
    return undefined
  }
  return { path, act }
}

/** Whether an entry is the one that a step left, or took its place by recorded writes. */
async function isOf(records: ChangeRecords, place: FilePath, made: string | undefined, there: Entry): Promise<boolean> {
  let identity = made
  for (let writes = 0; identity !== undefined && writes < MOST_WRITES; writes += 1) {
    if (identity === there.identity) return true
    identity = await records.successor(place, identity)
  }
  return false
}

/** Something that was made, as it is now. */
interface Made extends Pick<StepRecord, 'made' | 'stamp'>, Pick<UndoWork, 'since' | 'gone'> {
  there: Entry
  /** Whether only files count as newer: items were taken out of its folders. */
  byFiles: boolean
}

/** Whether something that was made is as it was made. A folder without any file in it has nothing to lose. */
async function isUnchanged(
  { store, policy }: FilesContext,
  { there, since, gone, byFiles, made, stamp }: Made,
): Promise<boolean> {
  if (there.kind !== 'folder') return isAsMade(there, { made, stamp })
  const until = performance.now() + LONGEST_LOOK
  let looks = 0
  let isNewer = stamp === EMPTY || (!byFiles && there.modified > since)
  let hasFile = false
  for await (const { entry, skipped } of walk(store, policy, there.path)) {
    looks += 1
    if (skipped || looks > MOST_LOOKS || performance.now() > until) return false
    if (isAmong(entry.path, gone)) continue
    isNewer ||= entry.modified > since && !(byFiles && entry.kind === 'folder')
    hasFile ||= entry.kind !== 'folder'
    if (isNewer && hasFile) return false
  }
  return true
}

/** The stamp of a step that recovery completed is unknown. */
const isAsMade = (there: Entry, { made, stamp }: { made?: string | undefined; stamp?: string | undefined }): boolean =>
  there.identity === made && (stamp === undefined || stamp === stampOf(there))

function isAmong(path: FilePath, gone: ReadonlySet<FilePath>): boolean {
  if (gone.size === 0) return false
  for (let at = path; at !== ROOT; at = parentOf(at)) if (gone.has(at)) return true
  return false
}

function refusalOf({ policy }: FilesContext, effect: Effect, path: FilePath): UndoObstacle | undefined {
  return policy.may(effect, path) && policy.sees(path) ? undefined : 'forbidden'
}

function unlessMissing(thrown: unknown): undefined {
  const { code } = asAppError(thrown)
  if (code !== 'not_found' && code !== 'gone' && code !== 'unsupported') throw thrown
  return undefined
}
