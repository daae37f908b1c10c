import type { FolderTotals, UsageAnswer } from '../../shared/api/resources.ts'
import { largestOf, NO_SUM } from '../../shared/sizes.ts'
import type { Entry, KnownSizes, KnownSum, SizedName, StorageDriver } from '../storage/driver.ts'
import { findSized } from './find.ts'
import type { Policy } from './policy.ts'

/** `none`: the store has no sizes of that folder. `partial`: the index is not complete yet. */
export interface FolderSizes extends Omit<KnownSizes, 'isComplete'> {
  state: 'none' | 'partial' | 'known'
}

const NOTHING = { total: NO_SUM, count: 0, items: [] } as const satisfies Partial<FolderSizes>

/**
 * The totals of a folder and its largest items, of what the policy lets the user see. From the totals of the store's
 * index, which is started if there is none; where rules hide entries, or the store searches without an index, the
 * entries are added up, with no result before the end.
 * @param most the number of items listed by name
 */
export async function folderSizes(
  store: StorageDriver,
  policy: Policy,
  folder: Entry,
  most: number,
  signal: AbortSignal,
): Promise<FolderSizes> {
  const { names } = store
  names?.want()
  const known = await names?.sizes?.(folder.path, policy.restricts ? 0 : most)
  if (names?.findsAlways && !known?.isComplete) {
    return { state: 'known', ...(await addUp(store, policy, folder, most, signal)) }
  }
  if (!known) return { state: 'none', ...NOTHING, items: [] }
  const { isComplete, ...sizes } = known
  if (!policy.restricts) return { state: isComplete ? 'known' : 'partial', ...sizes }
  if (!isComplete) return { state: 'partial', ...NOTHING, items: [] }
  return { state: 'known', ...(await addUp(store, policy, folder, most, signal)) }
}

/**
 * The disk usage of the store below a folder; zeros for a file and where it is unknown (http-api 8).
 * @param below also returns the total below it, if the store knows it and the policy hides nothing of it
 */
export async function usageOf(
  store: StorageDriver,
  policy: Policy,
  entry: Entry,
  below: boolean,
): Promise<UsageAnswer> {
  const reported = entry.kind === 'folder' ? await store.usage?.(entry.path) : undefined
  const usage = reported ?? { total: 0, used: 0 }
  const totals = below ? await knownTotals(store, policy, entry) : undefined
  return totals ? { ...usage, below: totals } : usage
}

async function knownTotals(store: StorageDriver, policy: Policy, folder: Entry): Promise<FolderTotals | undefined> {
  return policy.restricts || folder.kind !== 'folder' ? undefined : store.names?.totals(folder.path)
}

async function addUp(
  store: StorageDriver,
  policy: Policy,
  folder: Entry,
  most: number,
  signal: AbortSignal,
): Promise<Omit<KnownSizes, 'isComplete'>> {
  const above = folder.path === '/' ? 1 : folder.path.length + 1
  const total = { ...NO_SUM }
  const items = new Map<string, SizedName>()
  for await (const { path, kind, isLink, size, disk = size } of findSized(store, policy, folder, signal)) {
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
