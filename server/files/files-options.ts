import type { Recording } from './change-records.ts'
import type { RecheckAccess } from './changes.ts'
import type { SumRecords } from './checksums.ts'
import type { NameReservations } from './free-name.ts'
import type { HistoryOwner } from './history.ts'
import type { Around } from './hooks.ts'
import type { LinkRecords } from './link-records.ts'
import type { LockGuard, LockPlaces } from './lock-guard.ts'
import type { LockHolder } from './lock-records.ts'
import type { MarkOwner } from './mark-records.ts'
import type { Places } from './places.ts'
import type { PropertyRecords } from './property-records.ts'
import type { Recorder } from './recorder.ts'
import type { MakeRoom, TrashOwner } from './trash-records.ts'
import type { VersionOwner } from './version-records.ts'

/** What `Files` works with besides the store; all of it is missing in views that change nothing. */
export interface FilesOptions {
  locks?: { guard: LockGuard; places: LockPlaces; holder: LockHolder | undefined } | undefined
  places?: Places
  trash?: TrashOwner | undefined
  versions?: VersionOwner | undefined
  recheck?: RecheckAccess
  sums?: SumRecords | undefined
  changes?: { record: Recorder; recording: Recording; history: HistoryOwner; links?: LinkRecords | undefined }
  marks?: MarkOwner | undefined
  properties?: PropertyRecords | undefined
  /** Places are in the scope. */
  makeRoom?: MakeRoom | undefined
  around?: Around
  names?: NameReservations
  rootName?: string
}
