import type { ClientConfig } from 'pg'
import { LIMITS } from '../limits.ts'

/** Milliseconds a statement may take, by the server's clock and, a little longer, by ours. */
const ANSWERED_WITHIN = { server: 30_000, here: 35_000 }

/** `application_name` of our connections in PostgreSQL. */
export const APPLICATION = 'filigree'

/**
 * Options of a connection to PostgreSQL, as plain data; the password may also come from `PGPASSWORD` or the file that
 * `PGPASSFILE` names.
 */
export function connectionTo(address: string): ClientConfig {
  return {
    connectionString: address,
    application_name: APPLICATION,
    connectionTimeoutMillis: LIMITS.databaseConnect,
    statement_timeout: ANSWERED_WITHIN.server,
    query_timeout: ANSWERED_WITHIN.here,
    keepAlive: true,
  }
}
