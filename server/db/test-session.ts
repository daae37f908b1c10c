import type { SessionsTable } from './schema.ts'

/** The columns of a session that a test does not care about. */
export const BLANK_SESSION = {
  ...{ created_at: 0, renewed_at: 0, expires_at: 0, rotated_at: 0, seen_at: 0 },
  ...{ token_id: '', previous_id: '', address: '', agent: '', way: '', factors: '', confirmed_at: 0 },
  ...{ provider: '', provider_sid: '', provider_factor: 0, id_token: '', ends_at: 0 },
} satisfies Omit<SessionsTable, 'id' | 'user_id'>
