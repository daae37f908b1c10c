import { type FilePath, isWithin, joinPath, pathsDownTo, ROOT } from '../../shared/path.ts'
import type { ChangeRecords, StepAt, StepRecord, TouchedPlace } from './change-records.ts'

/** Moves that are followed back. */
const MOST_MOVES = 100

/**
 * The places that a file or folder had, from now back to when it was made, by the recorded steps about it and the
 * folders above it.
 * @param below whether what is in the folder counts, too
 */
export async function lineageOf(records: ChangeRecords, now: FilePath, below: boolean): Promise<TouchedPlace[]> {
  const places: TouchedPlace[] = []
  let place = now
  let until: StepAt | undefined
  /** Steps from here on are known. */
  let known: StepAt | undefined
  let also: StepAt[] = []
  for (let moves = 0; moves < MOST_MOVES; moves += 1) {
    const where = { place, below, also, ...(until && { until }) }
    const step = await records.relocation(
      pathsDownTo(place).filter(path => path !== ROOT),
      known,
    )
    if (!step) return [...places, where]
    const before = await placeBefore(records, step, place)
    if (before === 'left') return [...places, { ...where, from: next(step) }]
    places.push({ ...where, from: step, also: [...also, step] })
    if (before === 'made') return places
    place = before.place
    until = before.until
    known = before.known
    also = before.trashed ? [before.known] : []
  }
  return places
}

/** A place that something had, and the step after its last one there. */
interface Former {
  place: FilePath
  until: StepAt
  /** The earliest step that was looked at. */
  known: StepAt
  /** Whether that one brought it into the trash. */
  trashed?: true
}

/** Where something was before a step brought it to a place; or that it was made so, or that the step took it away. */
async function placeBefore(
  records: ChangeRecords,
  step: StepRecord,
  place: FilePath,
): Promise<Former | 'made' | 'left'> {
  const { kind, target, kept } = step
  if (kind === 'make') return 'made'
  if (kind === 'move' && target !== undefined && isWithin(place, target)) {
    return { place: inside(place, target, step.place), until: step, known: step }
  }
  const trashed = kind === 'restore' && kept !== undefined ? await records.trashStep(kept) : undefined
  if (kind !== 'restore') return 'left'
  if (!trashed) return 'made'
  // A part of a folder came back to its own path.
  const isPart = isWithin(step.place, trashed.place) && step.place !== trashed.place
  return {
    place: isPart ? place : inside(place, step.place, trashed.place),
    until: next(trashed),
    known: trashed,
    trashed: true,
  }
}

/** A path in one folder as it was in another one. */
const inside = (path: FilePath, from: FilePath, to: FilePath): FilePath =>
  path === from ? to : joinPath(to, path.slice(from.length) as FilePath)

const next = ({ change, position }: StepAt): StepAt => ({ change, position: position + 1 })
