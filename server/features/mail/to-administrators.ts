import { listUsers } from '../users/users.store.ts'
import { addressOf } from './addresses.store.ts'
import type { ArrivalDeps } from './arrivals.ts'
import type { Content } from './compose.ts'
import type { Kind, WebhookFault } from './new-mail.ts'

const DAY = 24 * 3_600_000

/** A webhook that the server switches off. */
export interface SwitchedOff {
  id: string
  name: string
  /** The user whose it is; null for one of the administrators. */
  owner: number | null
  reason: WebhookFault
}

/** Writes a mail to its owner, or to each administrator, who wants mails, unless there was one about it within a day. */
export async function noteWebhookOff(
  { db, cluster, mails, now }: ArrivalDeps,
  { id, name, owner, reason }: SwitchedOff,
): Promise<void> {
  if (!mails.isOn) return
  const about = `webhook ${id}`
  await cluster.lock(`mail:${about}`, async () => {
    const before = db.selectFrom('mails').select('id').where('kind', '=', 'webhook.off').where('about', '=', about)
    if (
      await before
        .where('created_at', '>', now() - DAY)
        .limit(1)
        .executeTakeFirst()
    )
      return
    for (const { id: userId, perm, isDisabled } of await listUsers(db)) {
      if (isDisabled || (owner === null ? !perm.admin : userId !== owner)) continue
      const { address, notices } = await addressOf(db, userId)
      if (address === '' || notices !== 1) continue
      await mails.add({ kind: 'webhook.off', userId, about, data: { name, reason } })
    }
  })
}

export const webhookContent = ({ name, reason }: Kind['webhook.off']): Content => ({
  subject: 'webhookSubject',
  before: [reason === 'gone' ? 'webhookGone' : 'webhookFailing'],
  after: ['uploadedOff'],
  values: { name },
})
