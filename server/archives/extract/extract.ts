import type { ConflictChoice } from '../../../shared/conflicts.ts'
import { type FilePath, joinPath, ROOT, segmentsOf } from '../../../shared/path.ts'
import { AppError, asAppError, type ErrorCode } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { Done } from '../../files/transfer.ts'
import { JOB_SEMAPHORE } from '../codecs/codec-threads.ts'
import { withProgress } from '../progress.ts'
import type { ReadMember } from '../read/members.ts'
import { placeOf } from '../read/names.ts'
import { openArchive } from '../read/open-archive.ts'
import { Budget, type ExtractLimits } from './budget.ts'
import { arrived, putFile, standingAt } from './member.ts'

/** The progress of an attempt: the last member that was renamed; all before it are done. */
export interface ExtractNote {
  number: number
  goal: FilePath
}

export interface ExtractRequest {
  limits: ExtractLimits
  /** How to resolve a conflict with an existing file; by default it stays, and the member is refused. */
  choose(path: FilePath): ConflictChoice | undefined
  signal: AbortSignal
  progress(done: Done): void
  /** Of an earlier attempt. */
  noted: ExtractNote | undefined
  /** Durable when it resolves. */
  note(now: ExtractNote): Promise<void>
  /** Called for each file whose content was replaced; see `Written.kept`. */
  kept(kept: string): void
  /** Receives each member that is not extracted, and why. */
  refused(member: { name: string; goal: FilePath | undefined; code: ErrorCode }): Promise<void>
}

/** After these errors nothing more can be extracted. */
const HOPELESS: ReadonlySet<ErrorCode> = new Set(['no_space', 'quota_exceeded', 'read_only', 'body_too_large'])

/**
 * Extracts an archive into a folder, each file whole or not at all. Only files and folders are made, never links; names
 * that lead out of the folder are refused. Refused members do not stop the rest.
 * @throws body_too_large beyond the limits, undecodable, unsupported, no_space, forbidden; what was extracted before
 *    stays
 */
export async function extractArchive(files: Files, from: FilePath, to: FilePath, how: ExtractRequest): Promise<void> {
  files.demandCreate(to)
  const file = await files.open(from)
  try {
    const archive = await openArchive(file, JOB_SEMAPHORE)
    const budget = new Budget(how.limits, file.entry.size)
    const declared = await archive.survey?.(how.signal)
    if (declared) budget.demand(declared)
    if (!how.noted) await how.note({ number: -1, goal: to })
    // Made with the first entry, so that an extraction that fails at once leaves nothing behind.
    const there = await standingAt(files, to)
    if (there && there.kind !== 'folder') throw new AppError('exists')
    const replacesNothing = !there || how.choose(to) === 'keepBoth'
    if (declared && !how.noted && replacesNothing)
      await files.transfers.demandRoom(to, { bytes: declared.bytes, items: declared.members })
    const extraction = { files, to, how, budget, modified: file.entry.modified }
    for await (const member of archive.members(how.signal)) {
      budget.member()
      await extractMember(extraction, member)
    }
    await files.makeFolder(to)
  } finally {
    await file.close()
  }
}

interface Extraction {
  files: Files
  to: FilePath
  how: ExtractRequest
  budget: Budget
  /** For members without a time. */
  modified: number
}

async function extractMember(extraction: Extraction, member: ReadMember): Promise<void> {
  const { how, to } = extraction
  const place = placeOf(member.name)
  const goal = place && joinPath(to, place)
  try {
    demandPlain(member, place, how.limits)
    await put(extraction, member, goal ?? to)
  } catch (thrown) {
    const { code } = asAppError(thrown)
    if (how.signal.aborted || HOPELESS.has(code) || code === 'internal') throw thrown
    await how.refused({ name: member.name, goal, code })
  }
}

/** @throws bad_path, unsupported, encrypted */
function demandPlain({ kind, encrypted }: ReadMember, place: FilePath | undefined, { depth }: ExtractLimits): void {
  if (place === undefined || segmentsOf(place).length > depth) throw new AppError('bad_path')
  if (kind === 'link' || kind === 'special' || (place === ROOT && kind !== 'folder')) throw new AppError('unsupported')
  if (encrypted) throw new AppError('encrypted')
}

async function put({ files, how, budget, modified }: Extraction, member: ReadMember, goal: FilePath): Promise<void> {
  const { number, kind, size } = member
  if (kind === 'folder') await files.makeFolder(goal)
  else {
    const arrival = { goal, size, modified: member.modified ?? modified, mode: member.mode }
    if (!(await isDone(files, how.noted, number, arrival))) {
      const content = withProgress(budget.spent(member.content()), bytes => how.progress({ bytes }))
      await putFile(
        files,
        { ...arrival, content },
        {
          choice: how.choose(goal),
          again: how.noted !== undefined,
          signal: how.signal,
          chosen: path => how.note({ number, goal: path }),
          kept: how.kept,
        },
      )
    } else how.progress({ bytes: size })
  }
  how.progress({ entries: 1 })
}

/** Whether an earlier attempt completed this member. */
async function isDone(
  files: Files,
  noted: ExtractNote | undefined,
  number: number,
  arrival: { size: number; modified: number },
): Promise<boolean> {
  if (!noted || number > noted.number) return false
  return number < noted.number || arrived(await standingAt(files, noted.goal), arrival)
}

/** The total size of what will be extracted, if the archive declares it. @throws as `Files.open` */
export async function measureArchive(
  files: Files,
  path: FilePath,
  signal: AbortSignal,
): Promise<Required<Done> | undefined> {
  const file = await files.open(path)
  try {
    const sum = await (await openArchive(file, JOB_SEMAPHORE)).survey?.(signal)
    return sum && { bytes: sum.bytes, entries: sum.members }
  } finally {
    await file.close()
  }
}
