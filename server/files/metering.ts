import type { FilePath } from '../../shared/path.ts'
import type { Amount } from '../lib/amount.ts'

/** The most that a user may fill a folder to; nothing where only others are limited. */
export type QuotaLimits = { [Kind in keyof Amount]: number | undefined }

/** A folder whose content a quota limits. */
export interface Meter {
  id: string
  limits: QuotaLimits
}

/** Quotas, as one user meets them; see docs/design/storage.md. Places are paths of the served root. */
export interface Metering {
  /** Whether any folder has a quota. Nothing else is asked while none has. */
  readonly isOn: boolean
  /** Loads what changed since the last call. */
  ready(): Promise<void>
  /** The meters that count what is at a place. */
  over(place: FilePath): readonly Meter[]
  /** The bytes in the fullest of some meters, and its limit; nothing where none limits bytes. */
  usage(meters: readonly Meter[]): Promise<{ total: number; used: number } | undefined>
  /** What lies below a place was moved or removed: the meters of folders in it count again. */
  left(place: FilePath): void
  /** Begins a change. @param id finds it again, in another request or process */
  begin(id?: string): Reservation
}

/** Room for one change: what it may add is reserved before, and what it did add is settled in the end. */
export interface Reservation {
  /** Reserves room in some meters; with `NOTHING` only notes that they change. @throws quota_exceeded */
  take(meters: readonly Meter[], amount: Amount): Promise<void>
  /** Notes what was added; negative for what is gone. */
  add(meters: readonly Meter[], amount: Amount): void
  /** It is unknown how much was removed: the meters count again. */
  doubt(): void
  /** The change continues in another request, which finds its room by the id. Never rejects. */
  pause(): Promise<void>
  /** Settles the change, and gives back the room that it did not need. Never rejects; idempotent. */
  end(how?: { tree?: boolean }): Promise<void>
}
