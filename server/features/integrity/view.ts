import type { IntegrityFinding, IntegrityReport } from '../../../shared/api/integrity.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { Files } from '../../files/files.ts'
import type { Integrity } from '../../integrity/integrity.ts'
import { rfc3339 } from '../../responses/serializers.ts'

export interface SeenFinding {
  finding: Awaited<ReturnType<Integrity['finding']>>
  /** Files with the content that was lost. */
  copies: readonly { place: FilePath }[]
}

/** The settings of the checks at night. */
export interface ScrubConfig {
  scrub: IntegrityReport['scrub']
  scrubHours: IntegrityReport['hours']
  scrubRate: number
}

/** A finding as in the API; its paths are those that the user sees. */
export function presentFinding(own: Files, { finding, copies }: SeenFinding): IntegrityFinding {
  const { id, kind, state, place, at, size, expected, found, settled_at, settled_by } = finding
  const path = own.history.pathOf(place)
  return {
    id,
    kind,
    state,
    place,
    ...(path !== undefined && { path }),
    time: rfc3339(at),
    size,
    ...(expected !== null && { expected }),
    ...(found !== null && { found }),
    copies: copies.map(copy => own.history.pathOf(copy.place)).filter(copy => copy !== undefined),
    ...(settled_at !== null && { settled: rfc3339(settled_at) }),
    ...(settled_by !== null && { settledBy: settled_by }),
  }
}

export function presentReport(
  { last, complete, next, known, checked, open }: Awaited<ReturnType<Integrity['report']>>,
  { scrub, scrubHours: hours, scrubRate: rate }: ScrubConfig,
): IntegrityReport {
  return {
    scrub,
    rate,
    hours,
    ...(complete && { total: { files: complete.files, bytes: complete.bytes } }),
    known,
    checked,
    ...(last && {
      last: {
        started: rfc3339(last.startedAt),
        ...(last.endedAt !== undefined && { ended: rfc3339(last.endedAt) }),
        complete: last.complete,
        read: { files: last.readFiles, bytes: last.readBytes },
        found: last.found,
      },
    }),
    ...(next && { next: next.toISOString() }),
    open,
  }
}
