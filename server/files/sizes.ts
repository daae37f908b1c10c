import type { FolderTotals, UsageAnswer } from '../../shared/api/resources.ts'
import { largestOf, NO_SUM } from '../../shared/sizes.ts'
import type { Entry, KnownSizes, KnownSum, SizedName, StorageDriver } from '../storage/driver.ts'
import { findSized } from './find.ts'
import type { Policy } from './policy.ts'

/** `none`: the store keeps no sizes of that folder. `partial`: not everything was looked at yet. */
export interface FolderSizes extends Omit<KnownSizes, 'isComplete'> {
  state: 'none' | 'partial' | 'known'
}

const NOTHING = { total: NO_SUM, count: 0, items: [] } as const satisfies Partial<FolderSizes>

/**
 * What a folder holds and its largest things, of what the policy lets be seen. From the sums of the store's index, which
 * is begun if there is none yet; where rules hide things, or the store finds things without an index, what is found is
 * added up, and nothing told before the end.
 * @param most things that are told by name
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
 * How full the store below a folder is; zeros for a file and where nobody can tell (http-api 8).
 * @param below also asks what all below it adds up to; told if the store knows it and the policy hides nothing of it
 */
export async function usageOf(
  store: StorageDriver,
  policy: Policy,
  entry: Entry,
  below: boolean,
): Promise<UsageAnswer> {
  const told = entry.kind === 'folder' ? await store.usage?.(entry.path) : undefined
  const usage = told ?? { total: 0, used: 0 }
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
