/**
 * A call that works, as a `curl` line. Words in capitals with an underscore, such as `JOB_ID`, stand for values of
 * earlier responses. `test/integration/examples.test.ts` runs all lines, in the order of their tables.
 */
export interface Example {
  /** Path and query of the address; by default the path of the call. */
  at?: string
  /** Further arguments of `curl`. */
  with?: string
  /** The credentials: `$TOKEN` in `X-Auth` unless given; `api`: an API token. */
  as?: 'api'
}

/** Examples by call: `GET /api/raw/{path}`. */
export type Examples = Readonly<Record<string, Example>>

/** The argument of `curl` for a body in JSON. */
export const json = (body: unknown): string => `-d '${JSON.stringify(body)}'`
