import { createHash } from 'node:crypto'
import type { LoginFlowsTable } from '../../db/identities-schema.ts'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'
import { ROWS, type Secrets } from '../secrets/secrets.ts'

export interface FlowDeps {
  db: Db
  secrets: Secrets
}

/** A sign-in under way. */
export interface Flow<Data> {
  kind: LoginFlowsTable['kind']
  /** Slug of the provider. */
  provider: string
  /** The value of the cookie of the browser. */
  cookie: string
  data: Data
}

export const digestOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** Remembers a sign-in under a secret, its data sealed. Of too many, the oldest end. @param lifetime milliseconds */
export async function insertFlow<Data>(
  { db, secrets }: FlowDeps,
  secret: string,
  flow: Flow<Data>,
  lifetime: number,
): Promise<void> {
  const id = digestOf(secret)
  const now = Date.now()
  await db.deleteFrom('login_flows').where('expires_at', '<=', now).execute()
  const crowded = await db
    .selectFrom('login_flows')
    .select('expires_at')
    .orderBy('expires_at', 'desc')
    .offset(LIMITS.loginFlows - 1)
    .limit(1)
    .executeTakeFirst()
  if (crowded) await db.deleteFrom('login_flows').where('expires_at', '<=', crowded.expires_at).execute()
  await db
    .insertInto('login_flows')
    .values({
      id,
      kind: flow.kind,
      provider: flow.provider,
      binding: digestOf(flow.cookie),
      data: await secrets.seal(JSON.stringify(flow.data), ROWS.flow(id)),
      expires_at: now + lifetime,
    })
    .execute()
}

/**
 * The data of a secret that is not used yet; `undefined` for an unknown or expired one.
 * @throws AppError `unavailable` when it was sealed with an unknown key
 */
export async function findFlow<Data>(
  { db, secrets }: FlowDeps,
  kind: LoginFlowsTable['kind'],
  secret: string,
): Promise<Data | undefined> {
  const id = digestOf(secret)
  const row = await db
    .selectFrom('login_flows')
    .select('data')
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst()
  return row && JSON.parse(await secrets.open(row.data, ROWS.flow(id)))
}

/**
 * Takes a sign-in away, so that it counts once, whatever the caller then makes of it.
 * @returns `undefined` for an unknown, used or expired secret
 * @throws AppError `unavailable` when it was sealed with an unknown key
 */
export async function takeFlow<Data>(
  { db, secrets }: FlowDeps,
  kind: LoginFlowsTable['kind'],
  secret: string,
): Promise<{ provider: string; binding: string; data: Data } | undefined> {
  const row = await db
    .deleteFrom('login_flows')
    .where('id', '=', digestOf(secret))
    .where('kind', '=', kind)
    .returningAll()
    .executeTakeFirst()
  if (!row || row.expires_at <= Date.now()) return undefined
  const data = JSON.parse(await secrets.open(row.data, ROWS.flow(row.id)))
  return { provider: row.provider, binding: row.binding, data }
}
