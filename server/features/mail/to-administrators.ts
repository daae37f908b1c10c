import type { Finding } from '../../../shared/api/diagnostics.ts'
import type { NoticeKind } from '../../../shared/notice-kinds.ts'
import type { Db } from '../../db/schema.ts'
import { findUser, listUsers } from '../users/users.store.ts'
import { noticeAddress } from './addresses.store.ts'
import type { ArrivalDeps } from './arrivals.ts'
import type { Content } from './compose.ts'
import type { Kind, MailKind, WebhookFault } from './new-mail.ts'

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
export function noteWebhookOff(deps: ArrivalDeps, { id, name, owner, reason }: SwitchedOff): Promise<void> {
  return tellOnceADay(deps, { kind: 'webhook.off', about: `webhook ${id}`, data: { name, reason }, to: owner })
}

/**
 * Writes a mail to each administrator who wants mails about a mail that was given up, unless there was one within a day.
 * One about such a mail makes no other.
 */
export async function noteDeadMail(deps: ArrivalDeps, kind: MailKind, reason: string): Promise<void> {
  if (kind !== 'mail.dead') await tellOnceADay(deps, { kind: 'mail.dead', about: 'mail', data: { reason }, to: null })
}

/** @param to its user; null for all administrators */
async function tellOnceADay<K extends 'webhook.off' | 'mail.dead' | 'health.red'>(
  { db, cluster, mails, now }: ArrivalDeps,
  { to, ...mail }: { kind: K; about: string; data: Kind[K]; to: number | null },
): Promise<void> {
  if (!mails.isOn) return
  const { kind, about } = mail
  await cluster.lock(`mail:${about}`, async () => {
    const before = db.selectFrom('mails').select('id').where('kind', '=', kind).where('about', '=', about)
    const isTold = await before
      .where('created_at', '>', now() - DAY)
      .limit(1)
      .executeTakeFirst()
    if (isTold) return
    for (const userId of await receiversOf(db, kind, to)) await mails.add({ ...mail, userId })
  })
}

/** The ids of those who want mails of a kind: one user, or for null all administrators. */
export async function receiversOf(db: Db, kind: NoticeKind, to: number | null): Promise<number[]> {
  const users = to === null ? (await listUsers(db)).filter(({ perm }) => perm.admin) : [await findUser(db, to)]
  const receivers: number[] = []
  for (const user of users) {
    if (user && !user.isDisabled && (await noticeAddress(db, user.id, kind)) !== undefined) receivers.push(user.id)
  }
  return receivers
}

/** Writes a mail to each administrator who wants mails about errors of the diagnostics, unless there was one within a day. */
export function noteErrors(deps: ArrivalDeps, errors: readonly Finding[]): Promise<void> {
  const named = errors.map(({ code, what }) => (what === undefined ? code : `${code}: ${what}`))
  return tellOnceADay(deps, { kind: 'health.red', about: 'health', data: { errors: named }, to: null })
}

export const healthContent = ({ errors }: Kind['health.red'], publicURL: string): Content => ({
  subject: 'healthSubject',
  before: ['healthText'],
  list: errors,
  link: { text: 'healthButton', url: `${publicURL}/settings/diagnostics` },
  after: ['uploadedOff'],
  values: { count: String(errors.length) },
})

export const webhookContent = ({ name, reason }: Kind['webhook.off']): Content => ({
  subject: 'webhookSubject',
  before: [reason === 'gone' ? 'webhookGone' : 'webhookFailing'],
  after: ['uploadedOff'],
  values: { name },
})

export const deadContent = ({ reason }: Kind['mail.dead']): Content => ({
  subject: 'deadSubject',
  before: ['deadText'],
  list: [reason],
  after: ['uploadedOff'],
  values: {},
})
