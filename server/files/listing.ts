import { setImmediate as othersFirst } from 'node:timers/promises'
import type { FilePath } from '../../shared/path.ts'
import { type Sorting, sortItems } from '../../shared/sorting.ts'
import type { Entry, Head, SortedFolder, StorageDriver } from '../storage/driver.ts'
import type { FilesContext } from './changes.ts'
import { seesEntry } from './walk.ts'

/** A folder with the children the user may see, sorted, from the first to the last. The caller closes it. */
export interface Listing {
  folder: Entry
  numDirs: number
  /** All entries that are not folders. */
  numFiles: number
  /** In batches, without entries deleted since the count. */
  entries: AsyncIterable<Entry[]>
  close(): Promise<void>
}

/** Entries in a batch where the store does not sort. */
const BATCH = 1000

/** A folder to list. */
export interface ListRequest {
  path: FilePath
  /** Returns its entry; a store that sorts returns it, too. */
  look: () => Promise<Entry>
}

/** @param wanted filters the visible children; all unless given @throws as `look`, and the store's `list` */
export async function listingOf(
  { store, policy }: FilesContext,
  asked: ListRequest,
  sorting: Sorting,
  wanted?: (head: Head) => boolean,
): Promise<Listing> {
  const isShown = (head: Head) => seesEntry(policy, head) && (!wanted || wanted(head))
  const each = policy.restricts || wanted !== undefined
  const sorted = await sortedBy(store, asked, sorting, each)
  const close = () => sorted.close()
  try {
    return {
      folder: sorted.folder,
      ...(await countOf(sorted, isShown)),
      entries: shownOf(sorted.entries, isShown),
      close,
    }
  } catch (thrown) {
    await close()
    throw thrown
  }
}

/** A refusal is the same as that of `look`. */
async function sortedBy(store: StorageDriver, { path, look }: ListRequest, sorting: Sorting, each: boolean) {
  if (!store.sorted) return sortAll(store, await look(), sorting)
  return store.sorted(path, sorting, each).catch(async (thrown: unknown) => {
    await look()
    throw thrown
  })
}

async function countOf({ counted, heads }: SortedFolder, isShown: (head: Head) => boolean) {
  const count = { numDirs: counted.folders, numFiles: counted.others }
  for (const slice of heads) {
    for (const head of slice) if (isShown(head)) count[head.kind === 'folder' ? 'numDirs' : 'numFiles'] += 1
    if (slice.length >= BATCH) await othersFirst()
  }
  return count
}

async function* shownOf(batches: AsyncIterable<Entry[]>, isShown: (head: Head) => boolean): AsyncGenerator<Entry[]> {
  for await (const batch of batches) yield batch.filter(isShown)
}

/** The children of a folder, sorted where the store does not. */
export async function sortAll(
  store: Pick<StorageDriver, 'list'>,
  folder: Entry,
  sorting: Sorting,
): Promise<SortedFolder> {
  const all: Entry[] = []
  for await (const batch of store.list(folder.path)) all.push(...batch)
  const sortable = all.map(entry => ({
    entry,
    name: entry.name,
    size: entry.size,
    modified: Math.floor(entry.modified),
    isDir: entry.kind === 'folder',
  }))
  const sorted = sortItems(sortable, sorting).map(({ entry }) => entry)
  const batches = Array.from({ length: Math.ceil(sorted.length / BATCH) }, (_, index) =>
    sorted.slice(index * BATCH, (index + 1) * BATCH),
  )
  return {
    folder,
    counted: { folders: 0, others: 0 },
    heads: batches,
    entries: fromArray(batches),
    close: async () => {},
  }
}

async function* fromArray<T>(batches: readonly T[]): AsyncGenerator<T> {
  yield* batches
}
