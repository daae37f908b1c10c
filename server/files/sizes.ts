import type { FolderTotals, UsageAnswer } from '../../shared/api/resources.ts'
import { type FilePath, ROOT } from '../../shared/path.ts'
import { isInOtherRoot } from '../../shared/places.ts'
import { largestOf, NO_SUM } from '../../shared/sizes.ts'
import type { Entry, KnownSizes, KnownSum, SizedName, SizesWanted, StorageDriver, Usage } from '../storage/driver.ts'
import { findSized, placeInIndex, type SearchContext } from './find.ts'

/** Entries beyond which adding up a folder's totals takes too long for a request. */
const MOST_ADDED = 200_000

/** `none`: no sizes of that folder are known. `partial`: the index is not complete yet. */
export interface FolderSizes extends Omit<KnownSizes, 'isComplete'> {
  state: 'none' | 'partial' | 'known'
}

const NOTHING = { total: NO_SUM, count: 0, items: [] } as const satisfies Partial<FolderSizes>

/**
 * The totals of a folder and its largest items, of what the policy lets the user see. From the totals of the index,
 * which is built if there is none; where rules hide entries, or the store finds sizes without an index, the entries are
 * added up, with no result before the end; so they are in other roots, which have no index. Of the folders alone only what
 * an index has: a listing starts none, and adds nothing up.
 */
export async function folderSizes(
  context: SearchContext,
  folder: Entry,
  wanted: SizesWanted,
  signal: AbortSignal,
): Promise<FolderSizes> {
  const { store, policy, index } = context
  const { most, onlyFolders = false } = wanted
  const isElsewhere = isInOtherRoot(store.placeInRoot?.(folder.canonical) ?? ROOT)
  if (onlyFolders && (policy.restricts || isElsewhere)) return { state: 'none', ...NOTHING, items: [] }
  if (isElsewhere) return { state: 'known', ...(await addUp({ store, policy }, folder, most, signal)) }
  if (!onlyFolders) void index?.want()
  const known = await knownSizes(context, folder, policy.restricts ? { most: 0 } : wanted)
  if (
    !onlyFolders &&
    (store.scan?.hasSizes ? policy.restricts || !known?.isComplete : policy.restricts && known?.isComplete)
  ) {
    return { state: 'known', ...(await addUp(context, folder, most, signal)) }
  }
  if (!known) return { state: 'none', ...NOTHING, items: [] }
  const { isComplete, ...sizes } = known
  if (policy.restricts) return { state: 'partial', ...NOTHING, items: [] }
  return { state: isComplete ? 'known' : 'partial', ...sizes }
}

async function knownSizes(context: SearchContext, folder: Entry, wanted: SizesWanted): Promise<KnownSizes | undefined> {
  const place = placeInIndex(context, folder)
  return place && context.index?.sizes(place, wanted)
}

/**
 * The disk usage of the store below a folder; zeros for a file and where it is unknown (http-api 8).
 * @param below also returns the total below it, if it is known soon and the policy hides nothing of it
 */
export async function usageOf(context: SearchContext, entry: Entry, below: boolean): Promise<UsageAnswer> {
  const reported = entry.kind === 'folder' ? await context.store.disk?.usage(entry.path) : undefined
  const usage = await withinQuota(context.store, entry, reported ?? { total: 0, used: 0 })
  const isWanted = below && entry.kind === 'folder' && !context.policy.restricts
  const totals = isWanted ? await totalsOf(context, entry) : undefined
  return totals ? { ...usage, below: totals } : usage
}

/** With a quota its limit and what it counts; but never more than still fits the disk. */
async function withinQuota({ quota }: StorageDriver, { kind, path }: Entry, disk: Usage): Promise<Usage> {
  const limited = kind === 'folder' ? await quota?.usage(path) : undefined
  if (!limited) return disk
  const { used } = limited
  return { used, total: disk.total > 0 ? Math.min(limited.total, used + disk.total - disk.used) : limited.total }
}

async function totalsOf(context: SearchContext, folder: Entry): Promise<FolderTotals | undefined> {
  const known = await knownSizes(context, folder, { most: 0 })
  if (!known?.isComplete) return scannedTotals(context.store, folder.path)
  const { bytes, files, folders, unread } = known.total
  return { bytes, files, folders, ...(unread > 0 && { unread }) }
}

/** The totals of a folder, unless there is so much in it that a request would take too long. */
async function scannedTotals(store: StorageDriver, folder: FilePath): Promise<FolderTotals | undefined> {
  if (!store.scan?.hasSizes) return undefined
  const totals = { bytes: 0, files: 0, folders: 0 }
  for await (const { met, entries } of store.scan.names(folder, [])) {
    if (met > MOST_ADDED) return undefined
    for (const { kind, size } of entries) {
      totals.bytes += size
      totals[kind === 'folder' ? 'folders' : 'files'] += 1
    }
  }
  return totals
}

async function addUp(
  context: SearchContext,
  folder: Entry,
  most: number,
  signal: AbortSignal,
): Promise<Omit<KnownSizes, 'isComplete'>> {
  const above = folder.path === '/' ? 1 : folder.path.length + 1
  const total = { ...NO_SUM }
  const items = new Map<string, SizedName>()
  for await (const { path, kind, isLink, size, disk = size } of findSized(context, folder, [], signal)) {
    if (kind === 'unread') total.unread += 1
    if (isLink || (kind !== 'file' && kind !== 'folder')) continue
    const [name = '', inside] = path.slice(above).split('/', 2)
    const item = items.get(name) ?? { name, isFolder: kind === 'folder', bytes: 0, disk: 0, files: 0, folders: 0 }
    items.set(name, item)
    if (kind === 'file') for (const sum of [total, item]) addFile(sum, size, disk)
    else if (inside !== undefined) item.folders += 1
    if (kind === 'folder') total.folders += 1
  }
  return { total, count: items.size, items: largestOf([...items.values()], most) }
}

function addFile(sum: Omit<KnownSum, 'unread'>, size: number, disk: number): void {
  sum.files += 1
  sum.bytes += size
  sum.disk += disk
}
