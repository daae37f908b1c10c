import type { Db } from '../../db/schema.ts'

/** How many there are by a label, such as the state of jobs. */
export type Counts = Readonly<Record<string, number>>

/** What metrics count in the database, over all servers. */
export interface Counted {
  /** Jobs that have not ended, by state. */
  jobs: Counts
  /** Sessions that have not ended, without those of API tokens. */
  sessions: number
  tokens: number
  /** Resumable uploads that have not ended. */
  uploads: number
  /** Locks by the protocol that took them. */
  locks: Counts
  /** Deliveries to webhooks, by state. */
  webhooks: Counts
  /** Mails, by state. */
  mails: Counts
  /** Bytes in the homes of users with a quota, and those reserved for running writes. */
  quota: { used: number; reserved: number }
}

/** @param now milliseconds since the epoch */
export async function countStored(db: Db, now: number): Promise<Counted> {
  const [jobs, sessions, tokens, uploads, locks, webhooks, mails, quota] = await Promise.all([
    jobsByState(db),
    countSessions(db, now),
    countTokens(db, now),
    countUploads(db, now),
    locksByVia(db, now),
    deliveriesByState(db),
    mailsByState(db),
    quotaBytes(db),
  ])
  return { jobs, sessions, tokens, uploads, locks, webhooks, mails, quota }
}

const UNFINISHED = ['waiting', 'running', 'paused'] as const
const UNSENT = ['waiting', 'dead'] as const

async function jobsByState(db: Db): Promise<Counts> {
  const rows = await db
    .selectFrom('jobs')
    .select(({ fn }) => ['state as label', fn.countAll<number>().as('count')])
    .where('state', 'in', UNFINISHED)
    .groupBy('state')
    .execute()
  return byLabel(rows, UNFINISHED)
}

async function countSessions(db: Db, now: number): Promise<number> {
  const row = await db
    .selectFrom('sessions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('expires_at', '>', now)
    .where('id', 'not like', 'token:%')
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

async function countTokens(db: Db, now: number): Promise<number> {
  const row = await db
    .selectFrom('api_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(({ or, eb }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

async function countUploads(db: Db, now: number): Promise<number> {
  const row = await db
    .selectFrom('uploads')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

async function locksByVia(db: Db, now: number): Promise<Counts> {
  const rows = await db
    .selectFrom('locks')
    .select(({ fn }) => ['via as label', fn.countAll<number>().as('count')])
    .where('expires_at', '>', now)
    .groupBy('via')
    .execute()
  return byLabel(rows, ['dav'])
}

async function deliveriesByState(db: Db): Promise<Counts> {
  const rows = await db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => ['state as label', fn.countAll<number>().as('count')])
    .where('state', 'in', UNSENT)
    .groupBy('state')
    .execute()
  return byLabel(rows, UNSENT)
}

async function mailsByState(db: Db): Promise<Counts> {
  const rows = await db
    .selectFrom('mails')
    .select(({ fn }) => ['state as label', fn.countAll<number>().as('count')])
    .where('state', 'in', UNSENT)
    .groupBy('state')
    .execute()
  return byLabel(rows, UNSENT)
}

async function quotaBytes(db: Db): Promise<Counted['quota']> {
  const row = await db
    .selectFrom('quota_meters')
    .select(({ fn }) => [fn.sum<number | null>('bytes').as('used'), fn.sum<number | null>('held').as('reserved')])
    .executeTakeFirstOrThrow()
  return { used: Number(row.used ?? 0), reserved: Number(row.reserved ?? 0) }
}

/** PostgreSQL counts in text. Labels that have no row are 0, so that their series does not end. */
function byLabel(rows: readonly { label: string; count: number }[], labels: readonly string[]): Counts {
  const counts = rows.map(({ label, count }) => [label, Number(count)] as const)
  return Object.fromEntries([...labels.map(label => [label, 0] as const), ...counts])
}
