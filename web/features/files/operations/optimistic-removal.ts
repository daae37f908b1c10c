import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { parentOf, parsePath } from '../../../../shared/path.ts'
import { insertEntries, removeEntries } from '../api/edit-listing.ts'
import { suspendReloads } from '../api/live-updates.ts'
import { withExitAnimation } from './exit-animation.ts'

/** Milliseconds for which rows may be hidden before the server has confirmed their removal. */
const HIDDEN_UNCONFIRMED = 1000

/** Rows being removed from a listing. */
export interface OptimisticRemoval {
  /** Confirms the removal of a row. */
  confirm(item: ResourceItem): void
  /** Ends the operation: unconfirmed rows come back. */
  end(): void
}

/** Hides rows at once; in a slow operation they come back until their removal is confirmed. */
export function removeOptimistically(items: readonly ResourceItem[]): OptimisticRemoval {
  const waiting = new Set(items)
  let trusted = true
  const resumeReloads = suspendReloads()
  withExitAnimation(() => each(waiting, removeEntries))
  const restoreRows = () => {
    trusted = false
    resumeReloads()
    each(waiting, (folder, _names, entries) => insertEntries(folder, entries))
  }
  const timer = setTimeout(restoreRows, HIDDEN_UNCONFIRMED)
  return {
    confirm(item) {
      waiting.delete(item)
      if (!trusted) each(new Set([item]), removeEntries)
    },
    end() {
      clearTimeout(timer)
      resumeReloads()
      if (trusted && waiting.size > 0) restoreRows()
    },
  }
}

type Edit = (folder: string, names: ReadonlySet<string>, entries: readonly ResourceItem[]) => void

function each(items: ReadonlySet<ResourceItem>, edit: Edit): void {
  const byFolder = Map.groupBy(items, item => parentOf(parsePath(item.path)))
  for (const [folder, entries] of byFolder) edit(folder, new Set(entries.map(entry => entry.name)), entries)
}
