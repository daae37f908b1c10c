import type { UndoBody } from '../../shared/api/changes.ts'
import { parsePath } from '../../shared/path.ts'
import type { UndoRequest } from './undo.ts'

/** The decisions about an undo, of a request or of a job. @throws PathError */
export function undoRequestOf({
  steps,
  choices = {},
  conflict,
  offers = {},
  offer,
}: Omit<UndoBody, 'dry'>): UndoRequest {
  const byPath = new Map(Object.entries(choices).map(([path, choice]) => [parsePath(path), choice]))
  return {
    ...(steps && { steps }),
    choose: path => byPath.get(path) ?? conflict,
    offer: position => offers[position] ?? offer,
  }
}
