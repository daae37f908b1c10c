import type { UsageAnswer } from '../../../shared/api/resources.ts'
import { ownQuota } from '../../features/uploads/room.ts'
import { loadChunk } from '../../lib/chunk.ts'
import { localPreference } from '../../lib/local-preference.ts'
import { loadPeople } from '../../lib/people.ts'

/** From which share of its limit on storage is shown as nearly full. */
export const WARN_FROM = 0.9

const LEVELS = ['none', 'nearly', 'full'] as const
/** The last level of which this browser has shown a notice. */
const noted = localPreference('quotaNoted', LEVELS, 'none')

/**
 * Shows a notice when the quota of the user is nearly full, and another one when it is full: each once, until there is room
 * again.
 * @param usage of any folder; the quota is only asked for when the folder is nearly full
 */
export async function noteLevel({ used, total }: UsageAnswer): Promise<void> {
  const isNear = total > 0 && used >= total * WARN_FROM
  if (!isNear && noted.store.get() === 'none') return
  const quota = await ownQuota()
  if (!quota?.exact || quota.limit === null) return
  const filled = { used: quota.used, limit: quota.limit }
  const level = levelOf(filled)
  const isRise = LEVELS.indexOf(level) > LEVELS.indexOf(noted.store.get())
  noted.choose(level)
  if (!isRise) return
  const { noteFilled } = await loadChunk(() => loadPeople(() => import('../../features/uploads/quota-notice.ts')))
  noteFilled(filled)
}

function levelOf({ used, limit }: { used: number; limit: number }): (typeof LEVELS)[number] {
  if (used >= limit) return 'full'
  return used >= limit * WARN_FROM ? 'nearly' : 'none'
}
