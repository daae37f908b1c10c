import { createHash } from 'node:crypto'
import type { LoginFlowsTable } from '../../db/identities-schema.ts'
import type { Db } from '../../db/schema.ts'
import { LIMITS } from '../../limits.ts'

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

/** Remembers a sign-in under a secret. Of too many, the oldest end. @param lifetime milliseconds */
export async function insertFlow<Data>(db: Db, secret: string, flow: Flow<Data>, lifetime: number): Promise<void> {
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
      id: digestOf(secret),
      kind: flow.kind,
      provider: flow.provider,
      binding: digestOf(flow.cookie),
      data: JSON.stringify(flow.data),
      expires_at: now + lifetime,
    })
    .execute()
}

/** The data of a secret that is not used yet; `undefined` for an unknown or expired one. */
export async function findFlow<Data>(db: Db, kind: LoginFlowsTable['kind'], secret: string): Promise<Data | undefined> {
  const row = await db
    .selectFrom('login_flows')
    .select('data')
    .where('id', '=', digestOf(secret))
    .where('kind', '=', kind)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst()
  return row && JSON.parse(row.data)
}

/**
 * Takes a sign-in away, so that it counts once, whatever the caller then makes of it.
 * @returns `undefined` for an unknown, used or expired secret
 */
export async function takeFlow<Data>(
  db: Db,
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
  return { provider: row.provider, binding: row.binding, data: JSON.parse(row.data) }
}
