import type { HostReason } from '../../shared/api/diagnostics.ts'

/** A setting of the host. */
export interface Setting {
  flag?: string
  /** Older spellings of the flag. */
  aliases?: readonly string[]
  short?: string
  /** Environment variables: the first is canonical, the others are accepted for compatibility. */
  env: readonly string[]
  /** A boolean: its flag needs no value. */
  boolean?: boolean
  /** The allowed values of an enumeration. */
  words?: readonly string[]
  /** Never shown. */
  secret?: boolean
  /** Why it can be set only on the host; `undefined` for an open setting, which the interface can change, too. */
  host?: HostReason
  default: string
  doc: string
}

export type HostOnlySetting = Setting & { host: HostReason }
