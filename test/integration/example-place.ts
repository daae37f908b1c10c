import { spawnSync } from 'node:child_process'
import { call, json } from '../api/client.ts'
import type { OwnServer } from '../api/harness.ts'
import type { Sink } from '../mail/sink.ts'

/** Words in examples, and their values here: `JOB_ID`, `$TOKEN`. */
export type Values = Record<string, string>

/** What is to be done before or after an example. @returns further values */
export type Step = (place: Place) => Promise<Values> | Values

/** A server with its values so far. */
export interface Place {
  wire: OwnServer
  /** Its mail server. */
  sink: Sink
  values: Values
  /** The body of the response, after the call. */
  body: string
}

export const token = ({ values }: Place) => values.$TOKEN ?? ''
export const read = async (place: Place, path: string) => json(await call(place.wire, path, { token: token(place) }))
export const own = ({ wire }: Place) => ({ current_password: wire.adminPassword })

/** The code of an authenticator app. @param ahead steps of 30 seconds: each code counts once */
export function codeOf(secret = '', ahead = 0): string {
  const time = `@${Math.floor(Date.now() / 1000) + 30 * ahead}`
  return spawnSync('oathtool', ['--totp', '-b', secret, '--now', time], { encoding: 'utf8' }).stdout.trim()
}
