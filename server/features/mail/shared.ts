import { encodePath } from '../../../shared/path.ts'
import { SHARED_NAME } from '../../files/shared-item.ts'
import { LIMITS } from '../../limits.ts'
import { countMiss } from '../users/password-throttle.store.ts'
import { digest } from '../users/password-throttle.ts'
import type { ArrivalDeps } from './arrivals.ts'
import type { Content } from './compose.ts'
import type { Kind } from './new-mail.ts'
import { receiversOf } from './to-administrators.ts'

const HOUR = 3_600_000

/** What a user has begun to share. */
export interface Shared extends Pick<Kind['grant.received'], 'by' | 'name' | 'note'> {
  /** The id of the grant. */
  grant: string
  /** The ids of the recipients. */
  to: readonly number[]
}

/** Writes a mail to each recipient who wants mails; a few an hour, since any user can share, and end it, at any rate. */
export async function noteShared({ db, mails, now }: ArrivalDeps, { grant, to, ...data }: Shared): Promise<void> {
  if (!mails.isOn) return
  const at = now()
  for (const id of to) {
    for (const userId of await receiversOf(db, 'grant.received', id)) {
      const { failures } = await countMiss(db, digest('mail', 'shared', String(userId)), at, at + HOUR)
      if (failures <= LIMITS.sharedMails) await mails.add({ kind: 'grant.received', userId, about: grant, data })
    }
  }
}

/** What the mail says; `undefined` when it is shared no longer. */
export async function sharedContent(
  { db, publicURL, now }: Pick<ArrivalDeps, 'db' | 'now'> & { publicURL: string },
  grant: string,
  { by, name, note }: Kind['grant.received'],
): Promise<Content | undefined> {
  const row = await db.selectFrom('grants').select('expires_at').where('hash', '=', grant).executeTakeFirst()
  if (!row || (row.expires_at !== null && row.expires_at <= now())) return undefined
  return {
    subject: 'sharedSubject',
    before: ['sharedText'],
    list: note === '' ? [] : [note],
    link: { text: 'uploadedButton', url: `${publicURL}/files${encodePath(`/${SHARED_NAME}`)}/` },
    after: ['uploadedOff'],
    values: { by, name },
  }
}
