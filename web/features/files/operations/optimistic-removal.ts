import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { parentOf, parsePath } from '../../../../shared/path.ts'
import { holdListings } from '../../../lib/live-updates.ts'
import { putIn, takeOut } from '../api/cached.ts'
import { withFarewell } from './exit-animation.ts'

/** Milliseconds for which rows may be gone before the server has confirmed that they are. */
const TRUST = 1000

/** Rows that leave a listing. */
export interface Leaving {
  /** This one is really gone. */
  confirm(item: ResourceItem): void
  /** Nothing more will go: what was not confirmed comes back. */
  end(): void
}

/** Takes rows out of their listings at once; if that takes long, they come back until they are really gone. */
export function leave(items: readonly ResourceItem[]): Leaving {
  const waiting = new Set(items)
  let trusted = true
  const letGo = holdListings()
  withFarewell(() => each(waiting, takeOut))
  const comeBack = () => {
    trusted = false
    letGo()
    each(waiting, (folder, _names, entries) => putIn(folder, entries))
  }
  const timer = setTimeout(comeBack, TRUST)
  return {
    confirm(item) {
      waiting.delete(item)
      if (!trusted) each(new Set([item]), takeOut)
    },
    end() {
      clearTimeout(timer)
      letGo()
      if (trusted && waiting.size > 0) comeBack()
    },
  }
}

type Edit = (folder: string, names: ReadonlySet<string>, entries: readonly ResourceItem[]) => void

function each(items: ReadonlySet<ResourceItem>, edit: Edit): void {
  const byFolder = Map.groupBy(items, item => parentOf(parsePath(item.path)))
  for (const [folder, entries] of byFolder) edit(folder, new Set(entries.map(entry => entry.name)), entries)
}
