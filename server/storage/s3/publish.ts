import type { FilePath } from '../../../shared/path.ts'
import { parentOf, ROOT } from '../../../shared/path.ts'
import { AppError, asAppError } from '../../errors.ts'
import { mapLimit } from '../../lib/limit.ts'
import type { Entry, KeepReplaced, PublishOptions } from '../driver.ts'
import { ask } from '../guard.ts'
import { demandVersion } from '../write-file.ts'
import { keepReplaced } from './kept/replaced.ts'
import { fileKey, folderKey } from './keys.ts'
import { entryOf, type Facts, fileFacts, identityIn, type Meta, newMeta } from './object-metadata.ts'
import { type Condition, headObject, type ObjectHead, putObject } from './objects.ts'
import { unlessMissing } from './s3-errors.ts'
import type { Scope } from './scope.ts'
import { missingFolders, type Standing, standingAt } from './stat.ts'

type Conditions = Pick<PublishOptions, 'ifAbsent' | 'ifMatch'>
const AT_ONCE = 32
/** Attempts to replace a file that other programs replace at the same time. */
const ATTEMPTS = 5

/** What is published. */
interface Publication {
  meta: Meta
  size: number
  how: Conditions & Pick<PublishOptions, 'keep'>
}

type Act = (condition: Condition) => Promise<string>

/** Where a file is to be published. */
export interface Goal {
  path: FilePath
  key: string
  /** Folders that are made after publishing. */
  missing: readonly FilePath[]
}

/** Checks preconditions before the body arrives. @throws is_a_folder, not_a_folder, exists, precondition_failed */
export async function demandGoal(scope: Scope, path: FilePath, how: Conditions): Promise<Goal> {
  ask(scope.guard, path)
  const standing = await standingAt(scope, path)
  demandStanding(standing, how)
  const missing = standing ? [] : await missingFolders(scope, parentOf(path))
  return { path, key: fileKey(scope.base, path), missing }
}

/** The precondition that the store checks when publishing. @throws is_a_folder, exists, precondition_failed */
function demandStanding(standing: Standing | undefined, how: Conditions): Condition {
  if (standing?.kind === 'folder') throw new AppError('is_a_folder')
  demandVersion(standing?.facts.version, how)
  if (how.ifAbsent) return { ifAbsent: true }
  return standing && how.ifMatch !== undefined ? { etag: standing.head.etag } : undefined
}

/**
 * Publishes a file: checks the target, keeps what gives way, has the store check again where it can, and makes missing
 * folders. Nothing is visible before, and a failure leaves no folder behind.
 * @param act writes the object; may be called again. @returns its ETag
 */
export async function publishing(scope: Scope, goal: Goal, what: Publication, act: Act): Promise<Entry> {
  const { keep, ifMatch } = what.how
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await (keep ? keeping(scope, goal, what, keep, act) : placing(scope, goal, what, act))
    } catch (thrown) {
      // Another program replaced the file in the meantime: that content is the one to keep.
      const isOther = ['precondition_failed', 'not_found'].includes(asAppError(thrown).code)
      if (!keep || !isOther || ifMatch !== undefined || attempt === ATTEMPTS) throw thrown
    }
  }
}

async function keeping(scope: Scope, goal: Goal, what: Publication, keep: KeepReplaced, act: Act): Promise<Entry> {
  const standing = await standingAt(scope, goal.path)
  demandStanding(standing, what.how)
  const etag = etagOf(standing)
  const made = identityIn(what.meta)
  const undo = standing?.kind === 'file' ? await keepReplaced(scope, goal.path, standing, { keep, made }) : undefined
  try {
    return await placing(scope, goal, what, condition => act(undo && etag !== undefined ? { etag } : condition), {
      etag,
    })
  } catch (thrown) {
    // A request without an answer may have succeeded, and still may.
    if (asAppError(thrown).code !== 'unavailable') await undo?.().catch(() => {})
    throw thrown
  }
}

/** @param only what is known to be there; others are `precondition_failed` */
function placing(
  scope: Scope,
  goal: Goal,
  what: Publication,
  act: Act,
  only?: { etag: string | undefined },
): Promise<Entry> {
  return scope.locks.run(goal.key, async () => {
    const standing = await standingAt(scope, goal.path)
    const condition = demandStanding(standing, what.how)
    if (only && etagOf(standing) !== only.etag) throw new AppError('precondition_failed')
    const facts = await factsAfter(scope, goal.key, what, () => act(condition))
    await makeMarkers(scope, goal.missing)
    return entryOf(goal.path, facts)
  })
}

const etagOf = (standing: Standing | undefined) => (standing?.kind === 'file' ? standing.head.etag : undefined)

/** After a lost response the retry is refused, although the first attempt succeeded. */
async function factsAfter(
  scope: Scope,
  key: string,
  { meta, size, how }: Publication,
  act: () => Promise<string>,
): Promise<Facts> {
  const own = (head: Pick<ObjectHead, 'etag' | 'size' | 'changed'>) => fileFacts({ ...head, headers: meta })
  try {
    return own({ etag: await act(), size, changed: 0 })
  } catch (thrown) {
    if (!(thrown instanceof AppError) || !['precondition_failed', 'not_found'].includes(thrown.code)) throw thrown
    const head = await unlessMissing(headObject(scope.client, key))
    if (head && fileFacts(head).identity === own(head).identity) return own(head)
    throw new AppError(how.ifAbsent ? 'exists' : 'precondition_failed', undefined, { cause: thrown })
  }
}

/** Makes folder markers; existing ones are kept. */
export async function makeMarkers(scope: Scope, folders: readonly FilePath[]): Promise<void> {
  await mapLimit(folders, AT_ONCE, async folder => {
    const key = folderKey(scope.base, folder)
    await putObject(scope.client, key, Buffer.alloc(0), newMeta(), { ifAbsent: true }).catch(fineIfThere)
  })
}

function fineIfThere(thrown: unknown): void {
  if (!(thrown instanceof AppError) || thrown.code !== 'precondition_failed') throw thrown
}

/**
 * Makes the marker of a folder that exists only through its files, so that it stays when the last of them is removed.
 */
export async function keepFolder(scope: Scope, folder: FilePath): Promise<void> {
  if (folder !== ROOT) await makeMarkers(scope, [folder])
}

/** Removes something from a folder, which stays. If the store is too full for the marker, space is freed first. */
export async function outOf(scope: Scope, folder: FilePath, act: () => Promise<void>): Promise<void> {
  const isKept = await keepFolder(scope, folder).then(() => true, unlessFull)
  await act()
  if (!isKept) await keepFolder(scope, folder).catch(unlessFull)
}

function unlessFull(thrown: unknown): false {
  if (thrown instanceof AppError && thrown.code === 'no_space') return false
  throw thrown
}

/** Makes a folder and its missing parents; see the driver contract. */
export async function makeFolder(scope: Scope, folder: FilePath): Promise<void> {
  ask(scope.guard, folder)
  const standing = await standingAt(scope, folder)
  if (standing?.kind === 'file') throw new AppError('exists')
  if (!standing) await makeMarkers(scope, await missingFolders(scope, folder))
}
