import type { MessagePort } from 'node:worker_threads'
import type { ClientConfig } from 'pg'

/** What is bound to a statement. */
export type Value = string | number | boolean | null | Uint8Array | readonly Value[]
export type Row = Record<string, unknown>

/** A statement, whose rows are waited for. */
export interface Asked {
  sql: string
  /** Without them, `sql` may be several statements. */
  values?: readonly Value[] | undefined
}

/** What comes of it. `state`: PostgreSQL's five characters; nothing if it was not the database that spoke. */
export type Answered = { rows: Row[] } | { failed: string; state: string | undefined }

/** What the thread that holds the connection is started with. */
export interface AnswerSetup {
  connection: ClientConfig
  port: MessagePort
  /** Its first number is 1 once an answer has come. */
  bell: Int32Array<SharedArrayBuffer>
}
