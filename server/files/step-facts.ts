import type { EventFacts } from '../../shared/event-facts.ts'
import type { Step } from './change-records.ts'

/**
 * What the steps of one operation say about it. A file in a folder that the operation made has no step of its own.
 * @param steps of one request, or of one item of a job @param places that the operation is about
 */
export function factsOf(
  steps: readonly Step[],
  places: readonly (string | undefined)[],
): Pick<EventFacts, 'size' | 'replaced' | 'folder' | 'trashed'> {
  const own = steps.filter(({ place, target }) => places.includes(place) || (target && places.includes(target)))
  const last = own.findLast(({ kind }) => kind !== 'replace') ?? own.at(-1)
  const written = own.findLast(({ stamp, isFolder }) => stamp !== undefined && !isFolder)
  const size = written && Number(written.stamp?.split(':')[0])
  return {
    ...(size !== undefined && Number.isFinite(size) && { size }),
    ...(last && { folder: last.isFolder }),
    replaced: own.some(({ kind }) => kind === 'replace'),
    trashed: own.some(({ kind }) => kind === 'trash'),
  }
}
