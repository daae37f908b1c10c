import { NOTICE_KINDS, type NoticeKind } from '../../../shared/notice-kinds.ts'
import type { Db } from '../../db/schema.ts'
import { digestOf } from '../auth/flows.store.ts'
import { issueTicket, verifyTicket } from '../auth/ticket.ts'
import { signingKey } from '../settings/settings.store.ts'
import { addressOf, changeAddress, offOf } from './addresses.store.ts'
import type { StoredMail } from './mails.store.ts'

const scope = async (db: Db) => ({ key: await signingKey(db), use: 'mail', subject: 'off' }) as const

/**
 * The address that switches mails of a kind off for their receiver, for mail programs (RFC 8058). `undefined` for kinds that
 * are not switched off, and for a host without HTTPS, to which no mail service sends such a request.
 */
export async function switchOffUrl(
  { db, publicURL }: { db: Db; publicURL: string },
  { kind, user_id: uid }: Pick<StoredMail, 'kind' | 'user_id'>,
  address: string,
): Promise<string | undefined> {
  if (uid === null || !isNotice(kind) || !publicURL.startsWith('https:')) return undefined
  const ticket = await issueTicket(await scope(db), { uid, kind, to: digestOf(address) })
  return `${publicURL}/api/mail-off?ticket=${ticket}`
}

/** Switches mails off. @returns whether the ticket is valid, and the account has the address still */
export async function switchOff(db: Db, ticket: string): Promise<boolean> {
  const { uid, kind, to } = (await verifyTicket(await scope(db), ticket)) ?? {}
  if (typeof uid !== 'number' || typeof kind !== 'string' || !isNotice(kind)) return false
  const { address, notices_off: off } = await addressOf(db, uid)
  if (address === '' || digestOf(address) !== to) return false
  await changeAddress(db, uid, { notices_off: [...new Set([...offOf(off), kind])].join(' ') })
  return true
}

const isNotice = (kind: string): kind is NoticeKind => (NOTICE_KINDS as readonly string[]).includes(kind)
