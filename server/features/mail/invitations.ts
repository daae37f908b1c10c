import { isExpired } from '../../../shared/expiry.ts'
import { fromStored } from '../../db/paths.ts'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'
import type { StoredUser } from '../users/users.store.ts'
import type { Content } from './compose.ts'

/** What the mail with a link says; `undefined` when the link has ended, is paused or is no longer the user’s. */
export async function inviteContent(
  { db, publicURL, now }: { db: Db; publicURL: string; now(): number },
  hash: string,
  { text, user }: { text: string; user: StoredUser },
): Promise<Content | undefined> {
  const share = await db
    .selectFrom('shares')
    .select(['path', 'label', 'purpose', 'expire', 'password_hash', 'paused_at', 'user_id'])
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (!share || share.user_id !== user.id || share.paused_at !== null || user.isDisabled) return undefined
  if (isExpired(share.expire, Math.floor(now() / 1000))) return undefined
  const name = fromStored(share.path)
    .split('/')
    .findLast(part => part !== '')
  return {
    subject: share.purpose === 'drop' ? 'dropInviteSubject' : 'shareInviteSubject',
    before: [share.purpose === 'drop' ? 'dropInviteText' : 'shareInviteText'],
    quote: text,
    link: {
      text: share.purpose === 'drop' ? 'dropInviteButton' : 'shareInviteButton',
      url: `${publicURL}/share/${hash}`,
    },
    after: [...(share.password_hash === '' ? [] : ['shareInvitePassword' as const]), 'ignore'],
    values: { user: user.username, name: name ?? share.label },
  }
}

/** Mails with links of one account, and to one address, in an hour. */
export const INVITE_RATES = { account: LIMITS.shareMails, address: LIMITS.mailsTo } as const
