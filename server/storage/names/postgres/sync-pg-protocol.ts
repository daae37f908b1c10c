import type { MessagePort } from 'node:worker_threads'
import type { ClientConfig } from 'pg'

/** A parameter of a statement. */
export type Value = string | number | boolean | null | Uint8Array | readonly Value[]
export type Row = Record<string, unknown>

/** A statement to execute. */
export interface PgRequest {
  sql: string
  /** Without parameters, `sql` may be several statements. */
  values?: readonly Value[] | undefined
}

/** The result. `state`: PostgreSQL's SQLSTATE of five characters; `undefined` if the error is not from the database. */
export type PgResponse = { rows: Row[] } | { failed: string; state: string | undefined }

/** Start-up data of the thread that holds the connection. */
export interface PgWorkerSetup {
  connection: ClientConfig
  port: MessagePort
  /** Element 0 becomes 1 once a response has arrived. */
  bell: Int32Array<SharedArrayBuffer>
}
