import type { ReadOrder } from '../batch-read.ts'
import type { Facts } from './stat-fields.ts'

/** Files to be read. */
export interface BatchReadRequest {
  id: number
  /** A real path without a trailing slash. */
  root: string
  orders: readonly ReadOrder[]
  /** Whether a guard saw the names, so that they must be spelled as listed. */
  isGuarded: boolean
  /** Memory to reuse; a new buffer is allocated where the contents do not fit. */
  memory?: Uint8Array<ArrayBuffer>
}

/** What was read of each file: the contents stand one after the other at the beginning of `bytes`. */
export interface BatchReadResponse {
  id: number
  found: readonly (Facts | undefined)[]
  bytes: Uint8Array<ArrayBuffer>
}
