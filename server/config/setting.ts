import type { HostReason } from '../../shared/api/diagnostics.ts'

/** A setting of the host: how it is spelled, what it is without being given, and what it does. */
export interface Setting {
  flag?: string
  /** Older spellings of the flag. */
  aliases?: readonly string[]
  short?: string
  /** The first is ours, the others are accepted from older installations. */
  env: readonly string[]
  /** A switch: its flag needs no value. */
  boolean?: boolean
  /** All that it can be, where that is one of a few words. */
  words?: readonly string[]
  /** Never told to anybody. */
  secret?: boolean
  /** Why only the host says it; without a reason the interface may change it, too. */
  host?: HostReason
  default: string
  doc: string
}

export type HostOnlySetting = Setting & { host: HostReason }
