import { type FilePath, isWithin, nameOf } from '../../shared/path.ts'
import { AppError, asAppError } from '../errors.ts'
import type { Entry, FoundEntry } from '../storage/driver.ts'
import {
  type FoundTexts,
  findNames,
  findSized,
  findTexts,
  type SearchContext,
  unreadAt,
  type WantedTexts,
} from './find.ts'
import { isUnread } from './walk.ts'

interface Wanted {
  words: readonly string[]
  signal: AbortSignal
  /** Whether sizes are needed. */
  sized: boolean
}

/**
 * As `findNames`, or `findSized`, and then the same in each folder of another root below the folder. They have no index and
 * are read now; one that is not there counts as a folder that could not be read.
 * @param folder as the store returns it
 */
export async function* findEverywhere(
  context: SearchContext,
  folder: Entry,
  wanted: Wanted,
): AsyncGenerator<FoundEntry> {
  const { tops = [] } = context
  const inside = tops.filter(top => top !== folder.path && isWithin(top, folder.path))
  const seen = new Set<FilePath>()
  for await (const entry of findIn(context, folder, wanted)) {
    if (inside.includes(entry.path)) seen.add(entry.path)
    yield entry
  }
  for (const top of inside) yield* inMount(context, top, wanted, seen)
}

/**
 * As `findTexts`, and then the same in each folder of another root below the folder. One that is not there, and one whose
 * texts are not indexed, has no hits.
 * @param folder as the store returns it
 * @throws not_indexed where texts are not indexed
 */
export async function findTextsEverywhere(
  context: SearchContext,
  folder: Entry,
  wanted: WantedTexts,
  matches: (name: string) => boolean,
): Promise<FoundTexts> {
  const { tops = [] } = context
  const all = [await findTexts(context, folder, wanted, matches)]
  for (const top of tops) {
    if (top === folder.path || !isWithin(top, folder.path)) continue
    const there = await textsInMount(context, top, wanted, matches)
    if (there) all.push(there)
  }
  const state = STATES.find(one => all.some(texts => texts.state === one)) ?? 'complete'
  return { state, found: oneAfterAnother(all.map(({ found }) => found)) }
}

/** The later in the list, the more was searched. */
const STATES = ['building', 'limited', 'complete'] as const

async function textsInMount(
  context: SearchContext,
  top: FilePath,
  wanted: WantedTexts,
  matches: (name: string) => boolean,
): Promise<FoundTexts | undefined> {
  const { store, policy } = context
  if (!policy.may('read', top) || !policy.sees(top)) return undefined
  try {
    const entry = await store.stat(top)
    return entry && (await findTexts(context, entry, wanted, matches))
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    return undefined
  }
}

async function* oneAfterAnother<T>(all: readonly AsyncIterable<T>[]): AsyncGenerator<T> {
  for (const one of all) yield* one
}

const findIn = (context: SearchContext, folder: Entry, { words, signal, sized }: Wanted) =>
  (sized ? findSized : findNames)(context, folder, words, signal)

async function* inMount(
  context: SearchContext,
  top: FilePath,
  wanted: Wanted,
  seen: ReadonlySet<FilePath>,
): AsyncGenerator<FoundEntry> {
  const { store, policy } = context
  if (!policy.may('list', top) || !policy.sees(top)) return
  try {
    const entry = await store.stat(top)
    if (!entry) return
    wanted.signal.throwIfAborted()
    if (!seen.has(top)) yield { ...entry, name: nameOf(top), path: top }
    if (entry.kind === 'folder') yield* findIn({ store, policy }, entry, wanted)
  } catch (thrown) {
    if (wanted.signal.aborted || !(thrown instanceof AppError)) throw thrown
    if (isUnread(asAppError(thrown))) yield unreadAt(top)
  }
}
