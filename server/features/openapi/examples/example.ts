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
  /** The call has no other response than this refusal, which the line prints. */
  refused?: number
}

/** Examples by call: `GET /api/raw/{path}`. */
export type Examples = Readonly<Record<string, Example>>

/** The arguments of `curl` that ask for a WebSocket, and show the response; `curl` cannot talk over it. */
export const WEB_SOCKET =
  "-i --max-time 1 -H 'Connection: Upgrade' -H 'Upgrade: websocket' -H 'Sec-WebSocket-Version: 13' -H 'Sec-WebSocket-Key: c2l4dGVlbiBieXRlcyBvaw=='"

/** The argument of `curl` for a body in JSON. */
export const json = (body: unknown): string => `-d '${JSON.stringify(body)}'`
