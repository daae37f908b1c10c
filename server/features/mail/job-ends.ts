import { encodePath, type FilePath, parentOf } from '../../../shared/path.ts'
import { fromStored } from '../../db/paths.ts'
import type { Db, JobsTable } from '../../db/schema.ts'
import { countItems } from '../../jobs/jobs.store.ts'
import { LIMITS } from '../../limits.ts'
import { countMiss } from '../users/password-throttle.store.ts'
import { digest } from '../users/password-throttle.ts'
import type { StoredUser } from '../users/users.store.ts'
import { noticeAddress } from './addresses.store.ts'
import type { Content } from './compose.ts'
import type { JobFacts, NewMail } from './new-mail.ts'

const HOUR = 3_600_000
/** Names in a mail; beyond, there is `…`. */
const LISTED = 20

type JobMail = NewMail<'job.failed' | 'job.done'>

/**
 * The mail about a job that ends, which its user gets unless they see the end in time: about failures always, else only
 * about a job that took long. A job that its user cancelled makes none. Reads on the connection of the transaction.
 */
export async function mailAboutJob(transaction: Db, job: JobsTable, now: number): Promise<JobMail | undefined> {
  const end = job.ended_at ?? now
  const spent = end - (job.started_at ?? end)
  const { done, skipped, failed, cancelled } = await countItems(transaction, job.id)
  const isFailed = failed > 0 || job.code !== null
  if (job.state === 'cancelled' && job.code === null) return undefined
  if (!isFailed && spent <= LIMITS.jobMailLong) return undefined
  const kind = isFailed ? 'job.failed' : 'job.done'
  const { user_id: userId, id: about } = job
  if ((await noticeAddress(transaction, userId, kind)) === undefined) return undefined
  const { failures } = await countMiss(transaction, digest('mail', 'job', String(userId)), now, now + HOUR)
  if (failures > LIMITS.jobMails) return undefined
  const items = done + skipped + failed + cancelled
  const data: JobFacts = { kind: job.kind, items, failed, seconds: Math.round(spent / 1000), code: job.code }
  return { kind, userId, about, data, at: now + LIMITS.jobMailTime }
}

/** Deletes the mail about a job whose end its user has seen, if it still waits. */
export async function forgetMailAboutJob(db: Db, id: string): Promise<void> {
  await db
    .deleteFrom('mails')
    .where('kind', 'in', ['job.failed', 'job.done'])
    .where('about', '=', id)
    .where('state', '=', 'waiting')
    .where('tries', '=', 0)
    .execute()
}

/** What the mail about a job says; `undefined` when its user has removed the job from the list, or may not sign in. */
export async function jobContent(
  { db, publicURL }: { db: Db; publicURL: string },
  id: string,
  { facts, user, tag }: { facts: JobFacts; user: StoredUser; tag: string },
): Promise<Content | undefined> {
  const job = await db.selectFrom('jobs').select('scope').where('id', '=', id).executeTakeFirst()
  if (!job || user.isDisabled) return undefined
  const isFailed = facts.failed > 0 || facts.code !== null
  const rows = db.selectFrom('job_items').select(['source', 'target']).where('job_id', '=', id).orderBy('position')
  const chosen = facts.failed > 0 ? rows.where('state', '=', 'failed') : rows
  const items = (await chosen.limit(LISTED + 1).execute()).map(({ source, target }) => ({
    source: fromStored(source),
    folder: parentOf(fromStored(target ?? source) as FilePath),
  }))
  const list = items.slice(0, LISTED).map(({ source }) => source)
  const [first] = items
  const number = new Intl.NumberFormat(tag)
  const values = {
    user: user.username,
    name: first?.source.split('/').findLast(part => part !== '') ?? '/',
    items: number.format(facts.items),
    failed: number.format(facts.failed),
    minutes: number.format(Math.round(facts.seconds / 60)),
  }
  const isInScope = fromStored(job.scope) === user.scope
  return {
    subject: isFailed ? 'jobFailedSubject' : 'jobDoneSubject',
    before: [isFailed ? 'jobFailedText' : 'jobDoneText', ...(facts.code === null ? [] : ['jobEndedText' as const])],
    list: items.length > LISTED ? [...list, '…'] : list,
    ...(first &&
      isInScope && { link: { text: 'uploadedButton', url: `${publicURL}/files${encodePath(first.folder)}` } }),
    after: ['uploadedOff'],
    values,
  }
}
