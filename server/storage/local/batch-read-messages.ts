import type { ReadOrder } from '../batch-read.ts'
import type { Facts } from './stat-fields.ts'

/** Files to be read. */
export interface TogetherAsk {
  id: number
  /** A real path, without a slash at its end. */
  root: string
  orders: readonly ReadOrder[]
  /** Whether rules were asked about the names, so that those have to be the listed ones. */
  isGuarded: boolean
  /** To be used again; the contents get other memory where they do not fit. */
  memory?: Uint8Array<ArrayBuffer>
}

/** What was read of each of the files: the contents stand one behind the other at the beginning of `bytes`. */
export interface TogetherAnswer {
  id: number
  found: readonly (Facts | undefined)[]
  bytes: Uint8Array<ArrayBuffer>
}
