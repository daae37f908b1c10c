import type { ContentState, TextMatch } from '../../shared/api/search.ts'
import { type FilePath, nameOf, parentOf } from '../../shared/path.ts'
import { isInOtherRoot, pathInRoot } from '../../shared/places.ts'
import { AppError, asAppError } from '../errors.ts'
import { mapStream } from '../lib/limit.ts'
import type { SearchIndex, WantedTexts } from '../search-index/search-index.ts'
import { type Entry, entriesIn, type FoundEntry, type NamesMet, type StorageDriver } from '../storage/driver.ts'
import type { Policy } from './policy.ts'
import { isUnread, seesEntry, walk } from './walk.ts'

export type { WantedTexts } from '../search-index/search-index.ts'
export type { FoundEntry } from '../storage/driver.ts'

/** Entries visited by a search after which an index is built. */
const LONG_WALK = 20_000
/** Files whose texts are read together. */
const READ_TOGETHER = 32
/** Entries that are looked up at a time. */
const LOOKUPS = 16

/** Where to search, and for whom. */
export interface SearchContext {
  store: StorageDriver
  policy: Policy
  index?: SearchIndex | undefined
  /** The index of the texts of another root, if there can be one. */
  indexOf?: ((root: string) => Promise<SearchIndex | undefined>) | undefined
  /** The paths of the folders of other roots. */
  tops?: readonly FilePath[] | undefined
}

/** Files whose text matches. `state`: how much of the texts was searched. */
export interface FoundTexts {
  state: ContentState
  found: AsyncIterable<(FoundEntry & { match: TextMatch })[]>
}

/**
 * Entries below a folder that the policy lets the user see, at least those whose name contains one of the words, in the
 * order of `walk`, and the folders that could not be read: from the index where there is one, else from the store.
 * Sizes may be missing.
 * @param folder as the store returns it
 * @param words case-insensitive; none selects everything
 */
export async function* findNames(
  context: SearchContext,
  folder: Entry,
  words: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<FoundEntry> {
  const found = (await indexed(context, folder, words)) ?? scanned(context, folder, words)
  yield* found ? visibleAmong(found, context, folder, signal) : walked(context, folder.path, signal)
}

/** As `findNames`, with sizes. */
export async function* findSized(
  context: SearchContext,
  folder: Entry,
  words: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<FoundEntry> {
  const found =
    (await indexed(context, folder, words)) ?? (context.store.scan?.hasSizes && scanned(context, folder, words))
  yield* found ? visibleAmong(found, context, folder, signal) : walked(context, folder.path, signal)
}

/** An entry with its size and the time of its last change, as the store has them now. */
export type DatedEntry = FoundEntry & { modified: number }

/** Completes found entries from the store, in the same order; those that are gone are left out. */
export async function* dated<T extends FoundEntry>(
  { store }: SearchContext,
  found: AsyncIterable<T>,
): AsyncGenerator<T & DatedEntry> {
  const complete = async (entry: T): Promise<(T & DatedEntry) | undefined> => {
    const { modified } = entry
    if (modified !== undefined) return { ...entry, modified }
    const now = await store.stat(entry.path).catch(() => undefined)
    return now && { ...entry, kind: now.kind, size: now.size, modified: now.modified }
  }
  for await (const entry of mapStream(found, LOOKUPS, complete)) if (entry) yield entry
}

/** The path of a folder in the index; `undefined` where it cannot be indexed. */
export function placeInIndex({ store }: SearchContext, { canonical }: Pick<Entry, 'canonical'>): FilePath | undefined {
  const place = store.placeInRoot?.(canonical)
  return place && isInOtherRoot(place) ? undefined : place
}

async function indexed(
  context: SearchContext,
  folder: Entry,
  words: readonly string[],
): Promise<AsyncIterable<FoundEntry[]> | undefined> {
  const place = placeInIndex(context, folder)
  const batches = place && (await context.index?.find(place, words))
  return batches && entriesIn(batches, queried(context, folder))
}

/** What a link is depends on the scope, so each one is resolved; links are few. */
function queried({ store }: SearchContext, { path, canonical }: Entry) {
  return { path, canonical, linkAt: (link: FilePath) => store.stat(link).catch(() => undefined) }
}

function scanned(
  { store, index }: SearchContext,
  folder: Entry,
  words: readonly string[],
): AsyncIterable<FoundEntry[]> | undefined {
  const batches = store.scan?.names(folder.path, words)
  return batches && walkIfPresent(index, folder.path, batches)
}

/** Ends without an error where the folder was deleted, as a walk does. */
async function* walkIfPresent(
  index: SearchIndex | undefined,
  folder: FilePath,
  batches: AsyncIterable<NamesMet>,
): AsyncGenerator<FoundEntry[]> {
  let isLong = false
  try {
    for await (const { met, entries } of batches) {
      if (!isLong && met >= LONG_WALK) void index?.want()
      isLong = met >= LONG_WALK
      yield entries
    }
  } catch (thrown) {
    if (isUnread(asAppError(thrown))) yield [unreadAt(folder)]
  }
}

async function* visibleAmong(
  found: AsyncIterable<FoundEntry[]>,
  { policy }: SearchContext,
  folder: Entry,
  signal: AbortSignal,
): AsyncGenerator<FoundEntry> {
  const isVisible = visibleIn(policy, folder)
  for await (const entries of found) {
    signal.throwIfAborted()
    for (const entry of entries) {
      signal.throwIfAborted()
      if (isVisible(entry)) yield entry
    }
  }
}

/**
 * Files below a folder whose text contains all the wanted texts, of those that the policy lets the user see; the texts
 * of others are not searched.
 * @param folder as the store returns it
 * @param matches filters by name
 * @throws not_indexed where texts are not indexed
 */
export async function findTexts(
  context: SearchContext,
  folder: Entry,
  wanted: WantedTexts,
  matches: (name: string) => boolean,
): Promise<FoundTexts> {
  const texts = await textsBelow(context, folder, wanted)
  if (!texts) throw new AppError('not_indexed')
  const isVisible = visibleIn(context.policy, folder)
  const keep = (entry: FoundEntry) => matches(entry.name) && isVisible(entry)
  const entries = entriesIn(texts.found, queried(context, folder))
  const match = (files: readonly FoundEntry[]) => texts.match(files.flatMap(file => ownPlace(context, file) ?? []))
  return { state: texts.state, found: matching(entries, keep, match) }
}

/** The files of an index, as the root of the folder has it, whose text may match. */
async function textsBelow(context: SearchContext, { canonical }: Entry, wanted: WantedTexts) {
  const rooted = pathInRoot(context.store.placeInRoot?.(canonical) ?? canonical)
  const index = rooted ? await context.indexOf?.(rooted.root) : context.index
  const place = ownPlace(context, { canonical })
  return place && index?.findTexts?.(place, wanted)
}

/** The path of an entry in its own root. */
function ownPlace({ store }: SearchContext, { canonical }: Pick<Entry, 'canonical'>): FilePath | undefined {
  const place = store.placeInRoot?.(canonical)
  return place && (pathInRoot(place)?.path ?? place)
}

async function* matching(
  batches: AsyncIterable<readonly FoundEntry[]>,
  keep: (file: FoundEntry) => boolean,
  match: (files: readonly FoundEntry[]) => Promise<readonly (TextMatch | undefined)[]>,
): AsyncGenerator<(FoundEntry & { match: TextMatch })[]> {
  for await (const batch of batches) {
    const files = batch.filter(keep)
    for (let at = 0; at < files.length; at += READ_TOGETHER) {
      const some = files.slice(at, at + READ_TOGETHER)
      const matches = await match(some)
      yield some.flatMap((file, index) => {
        const match = matches[index]
        return match ? [{ ...file, match }] : []
      })
    }
  }
}

/** Tests whether a walk would reach entries below a folder. */
function visibleIn(policy: Policy, folder: Entry): (entry: Pick<Entry, 'path' | 'canonical'>) => boolean {
  const opens = openFolders(policy, folder)
  const isTop = (entry: Pick<Entry, 'path'>) => entry.path === folder.path
  return entry => !policy.restricts || isTop(entry) || (seesEntry(policy, entry) && opens(parentOf(entry.path)))
}

/** Tests whether a walk would reach a folder below another: no ancestor may be denied. */
function openFolders(policy: Policy, top: Entry): (folder: FilePath) => boolean {
  const answers = new Map<FilePath, boolean>([[top.path, true]])
  const above = top.path === '/' ? 0 : top.path.length
  const realStart = top.canonical === '/' ? '' : top.canonical
  const opens = (folder: FilePath): boolean => {
    const known = answers.get(folder)
    if (known !== undefined) return known
    const canonical = (realStart + folder.slice(above)) as FilePath
    const answer = seesEntry(policy, { path: folder, canonical }) && opens(parentOf(folder))
    answers.set(folder, answer)
    return answer
  }
  return opens
}

async function* walked(
  { store, policy, index }: SearchContext,
  folder: FilePath,
  signal: AbortSignal,
): AsyncGenerator<FoundEntry> {
  let found = 0
  for await (const { entry, skipped } of walk(store, policy, folder, { signal })) {
    found += 1
    if (found === LONG_WALK) void index?.want()
    if (entry) yield entry
    else if (isUnread(skipped)) yield unreadAt(skipped.path)
  }
}

/** A folder that could not be read. */
export const unreadAt = (path: FilePath): FoundEntry => {
  return { name: nameOf(path), path, canonical: path, kind: 'unread', isLink: false, size: 0 }
}
