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
  /** Never told to anybody. */
  secret?: boolean
  default: string
  doc: string
}
