import type { UserQuota } from '../../../shared/api/quotas.ts'
import { addressOf } from './addresses.store.ts'
import type { ArrivalDeps } from './arrivals.ts'
import type { Content } from './compose.ts'
import type { Kind } from './new-mail.ts'

/** Percents of a quota at which its user gets a mail. */
const THRESHOLDS = [80, 95, 100]

/** How full the homes of users with a quota are. */
export type Fills = () => Promise<readonly Pick<UserQuota, 'id' | 'used' | 'limit'>[]>

/**
 * Writes a mail to each user whose home has reached a threshold of its quota, unless one about that threshold or a
 * higher one is on its way or was sent: its row is kept for a week.
 */
export async function warnOfQuotas({ db, cluster, mails }: ArrivalDeps, fills: Fills): Promise<void> {
  if (!mails.isOn) return
  await cluster.lock('mail:quotas', async () => {
    for (const { id, used, limit } of await fills()) {
      const percent = limit === null ? undefined : reached(used, limit)
      if (limit === null || percent === undefined) continue
      const { address, notices } = await addressOf(db, id)
      if (address === '' || notices !== 1 || (await warnedOf(db, id)) >= percent) continue
      await mails.add({ kind: 'quota.warning', userId: id, data: { percent, used, limit } })
    }
  })
}

/** A limit of 0 permits nothing, and is no space that runs out. */
const reached = (used: number, limit: number) =>
  limit === 0 ? undefined : THRESHOLDS.findLast(percent => used * 100 >= limit * percent)

/** The highest threshold of the mails that a user got; 0 for none. */
async function warnedOf(db: ArrivalDeps['db'], userId: number): Promise<number> {
  const rows = await db
    .selectFrom('mails')
    .select('data')
    .where('kind', '=', 'quota.warning')
    .where('user_id', '=', userId)
    .execute()
  return Math.max(0, ...rows.map(({ data }) => (JSON.parse(data) as Kind['quota.warning']).percent))
}

/** @param tag the language of the mail, for its numbers */
export function quotaContent({ used, limit }: Kind['quota.warning'], user: string, tag: string): Content {
  const percent = Math.floor((used * 100) / limit) / 100
  const values = {
    user,
    percent: new Intl.NumberFormat(tag, { style: 'percent' }).format(percent),
    used: sizeIn(tag, used),
    limit: sizeIn(tag, limit),
  }
  return { subject: 'quotaSubject', before: ['quotaText'], after: ['uploadedOff'], values }
}

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const
const KIB = 1024

/** A size in the units of the interface, with at most one decimal. */
function sizeIn(tag: string, bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10))
  const number = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 }).format(bytes / KIB ** step)
  return `${number}\u00a0${UNITS[step]}`
}
