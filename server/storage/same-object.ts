import { AppError } from '../errors.ts'
import type { Entry } from './entry.ts'

/** An object as a caller knows it. */
export type KnownObject = Pick<Entry, 'identity' | 'kind' | 'size' | 'modified'>

/** Whether an entry is that object, and a file has the content of then as far as size and time tell. */
export function isStill({ identity, kind, size, modified }: KnownObject, known: Omit<KnownObject, 'kind'>): boolean {
  return identity === known.identity && (kind === 'folder' || (size === known.size && modified === known.modified))
}

/** @throws not_found unless an entry is that object */
export function demandStill(there: KnownObject, known: Omit<KnownObject, 'kind'>): void {
  if (!isStill(there, known)) throw new AppError('not_found')
}
