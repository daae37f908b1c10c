import { LIMITS } from '../../limits.ts'
import type { FlowDeps } from '../auth/flows.store.ts'
import { readAuthSettings } from '../settings/settings.store.ts'
import { countMiss } from '../users/password-throttle.store.ts'
import { digest } from '../users/password-throttle.ts'
import { findUser, findUserByName, type StoredUser } from '../users/users.store.ts'
import { accountsOf, addressOf } from './addresses.store.ts'
import { type ArrivalDeps, arrivalContent, hasArrived, noteArrival } from './arrivals.ts'
import type { Content } from './compose.ts'
import { inviteContent } from './invitations.ts'
import { jobContent } from './job-ends.ts'
import { issueLink, type LinkPurpose } from './links.ts'
import type { StoredMail } from './mails.store.ts'
import type { Kind, MailKind } from './new-mail.ts'
import { quotaContent } from './quota-content.ts'
import { sharedContent } from './shared.ts'
import { signInContent } from './sign-ins.ts'
import { languageOf } from './texts.ts'
import { deadContent, healthContent, webhookContent } from './to-administrators.ts'

export interface Prepared {
  content: Content
  to: { address: string; locale: string }
  /** What its row has after it was sent. */
  sent?: { data: string }
  after?(): Promise<void>
}

export interface KindDeps extends FlowDeps {
  publicURL: string
  now(): number
  cluster: ArrivalDeps['cluster']
  mails: ArrivalDeps['mails']
}

const HOUR = 3_600_000
/** The most accounts of one address that get a mail each. */
const NAMESAKES = 5

/** What the mail of a row says, with a link of its own; `undefined` when nothing is to be sent. */
export async function prepare(deps: KindDeps, row: StoredMail): Promise<Prepared | undefined> {
  const now = deps.now()
  if (row.kind === 'password.asked') return lookUp(deps, row, now)
  const user = row.user_id === null ? undefined : await findUser(deps.db, row.user_id)
  if (!user) return undefined
  const address = row.address || (await addressOf(deps.db, user.id)).address
  if (address === '') return undefined
  const data = JSON.parse(row.data)
  const to = { address, locale: user.locale || data.locale || '' }
  const link = (purpose: LinkPurpose) => linkFor(deps, purpose, user, address)
  const values = { user: user.username }
  switch (row.kind as Exclude<MailKind, 'password.asked'>) {
    case 'password.reset':
      if (now - row.created_at > LIMITS.resetTime) return undefined
      return { to, content: await resetContent(deps, user, () => link('reset')) }
    case 'password.changed':
      return { to, content: { subject: 'changedSubject', before: ['changedText', 'changedNot'], values } }
    case 'login.newDevice':
      return { to, content: signInContent(data, user.username, languageOf(to.locale).tag) }
    case 'address.verify': {
      const url = await link('verify')
      const content: Content = { subject: 'verifySubject', before: ['verifyText'], after: ['ignore'], values }
      return { to, content: { ...content, link: { text: 'verifyButton', url } } }
    }
    case 'quota.warning':
      return { to, content: quotaContent(data, user.username, languageOf(to.locale).tag) }
    case 'job.failed':
    case 'job.done':
      return withContent(to, await jobContent(deps, row.about, { facts: data, user, tag: languageOf(to.locale).tag }))
    case 'share.invite':
      return withContent(to, await inviteContent(deps, row.about, { text: data.text, user }))
    case 'health.red':
      return { to, content: healthContent(data, deps.publicURL) }
    case 'mail.dead':
      return { to, content: deadContent(data) }
    case 'webhook.off':
      return { to, content: webhookContent(data) }
    case 'share.uploaded':
      return arrivals(deps, row, to)
    case 'grant.received': {
      const content = await sharedContent(deps, row.about, data)
      return content && { to, content }
    }
    case 'invitation': {
      const url = await link('invitation')
      const content: Content = { subject: 'inviteSubject', before: ['inviteText'], after: ['ignore'], values }
      return { to, content: { ...content, values: { ...values, by: data.by }, link: { text: 'inviteButton', url } } }
    }
  }
}

const withContent = (to: Prepared['to'], content: Content | undefined): Prepared | undefined =>
  content && { to, content }

/**
 * The accounts of a typed name or address get a mail each. It is looked up here and not in the request, so that
 * the request does the same whether there is such an account or not.
 */
async function lookUp({ db, mails }: KindDeps, row: StoredMail, now: number): Promise<undefined> {
  const { name, locale } = JSON.parse(row.data) as Kind['password.asked']
  if (now - row.created_at > LIMITS.resetTime) return undefined
  const byName = await findUserByName(db, name)
  const ids = byName ? [byName.id] : await accountsOf(db, name, NAMESAKES)
  for (const userId of ids) {
    if ((await addressOf(db, userId)).address === '') continue
    const key = digest('mail', 'reset', String(userId))
    const { failures } = await countMiss(db, key, now, now + HOUR)
    if (failures <= LIMITS.mailsTo) await mails.add({ kind: 'password.reset', userId, data: { locale } })
  }
}

/** What arrived until now; what arrives while it is sent waits for the next mail. */
async function arrivals(
  deps: KindDeps,
  { about, data }: StoredMail,
  to: Prepared['to'],
): Promise<Prepared | undefined> {
  const { db } = deps
  const { from } = JSON.parse(data) as Kind['share.uploaded']
  const until = deps.now()
  const content = await arrivalContent(deps, about, { from, until })
  if (!content) return undefined
  const after = async () => {
    if (await hasArrived(db, about, until)) await noteArrival(deps, about, until)
  }
  return { content, to, sent: { data: JSON.stringify({ from, until }) }, after }
}

/** Users whose password another system keeps, or who may not change it, learn that it is not changed here. */
async function resetContent({ db }: KindDeps, user: StoredUser, link: () => Promise<string>): Promise<Content> {
  const values = { user: user.username }
  const isElsewhere = user.lockPassword || (await readAuthSettings(db)).method !== 'json'
  if (isElsewhere) return { subject: 'resetSubject', before: ['elsewhereText'], after: ['ignore'], values }
  return {
    subject: 'resetSubject',
    before: ['resetText'],
    after: ['resetNot'],
    values,
    link: { text: 'resetButton', url: await link() },
  }
}

/** The secret is behind the `#`, which browsers send nowhere. */
async function linkFor(deps: KindDeps, purpose: LinkPurpose, user: StoredUser, address: string) {
  return `${deps.publicURL}/login?link#${await issueLink(deps, purpose, user, address)}`
}
