/**
 * `P0` blocks a release: loss or mixing of data, escape from a scope, bypass of a sign-in or a share link, execution of
 * foreign code or script, one request that stops the server. `P1` must hold before 1.0, `P2` is hardening.
 */
export type Priority = 'P0' | 'P1' | 'P2'

/** A requirement: id, priority, and what is tested. */
export type Row = readonly [id: string, priority: Priority, title: string]

/** A part of the plan with its rows. */
export interface Section {
  title: string
  rows: readonly Row[]
}
