import type { ActivityNames } from '../../../shared/api/activity.ts'
import { NOT_IN_ALL } from '../../../shared/api/webhooks.ts'
import { toStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'
import type { WebhookEvent } from './events.ts'
import { asSeenBy, concerns, isInShared, type Occurrence, type Viewer, viewerOf } from './viewer.ts'

/** An event as a user may see it, and what it is of. */
export interface Heard {
  event: WebhookEvent
  of: Occurrence
}

/** The events, and the scope that its paths are in, as the database stores it; null for the served root. */
export interface Told {
  events: readonly Heard[]
  scope: string | null
}

const NOTHING: Told = { events: [], scope: null }

/**
 * What each user hears of some occurrences. Accounts are read at most once, on the connection of the transaction, and only
 * where a type is wanted.
 * @param types that a webhook wants; empty for all
 */
export function hearing(
  transaction: Db,
  occurrences: readonly Occurrence[],
  names: ActivityNames,
): (owner: number, types: readonly string[]) => Promise<Told> {
  const viewers = new Map<number, Promise<Viewer | undefined>>()
  const shared = new Map<Occurrence, Promise<boolean>>()
  return async (owner, types) => {
    const wanted = occurrences.filter(occurrence => isWanted(occurrence, types) && concerns(occurrence, owner, names))
    if (wanted.length === 0) return NOTHING
    const viewer = await known(viewers, owner, () => viewerOf(transaction, owner))
    if (!viewer) return NOTHING
    const events: Heard[] = []
    for (const occurrence of wanted) {
      const event = asSeenBy(viewer, occurrence, names)
      if (event && !(await known(shared, occurrence, () => isInShared(transaction, occurrence))))
        events.push({ event, of: occurrence })
    }
    return { events, scope: toStored(viewer.scope) }
  }
}

const isWanted = ({ event: { type } }: Occurrence, types: readonly string[]): boolean =>
  types.length === 0 ? !NOT_IN_ALL.has(type) : types.includes(type)

function known<Key, Value>(map: Map<Key, Promise<Value>>, key: Key, read: () => Promise<Value>): Promise<Value> {
  const found = map.get(key) ?? read()
  map.set(key, found)
  return found
}
