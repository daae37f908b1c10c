import { type FilePath, joinPath } from '../../shared/path.ts'
import { AppError } from '../errors.ts'

/** Whether a canonical path may be used at all (rules, hidden files). Must be quick and free of side effects. */
export type PathGuard = (canonical: FilePath) => boolean

/** @throws forbidden when the guard refuses the path */
export function ask(guard: PathGuard | undefined, canonical: FilePath): void {
  if (guard && !guard(canonical)) throw new AppError('forbidden')
}

/** The guard of a store within a guarded one: both its own and the outer guard must accept a path. */
export function innerGuard(
  outer: PathGuard | undefined,
  base: FilePath,
  inner: PathGuard | undefined,
): PathGuard | undefined {
  if (!outer) return inner
  return canonical => outer(joinPath(base, canonical)) && (!inner || inner(canonical))
}

/** The guard of the whole served roots, which has names as they are listed. */
export const EVERYTHING: PathGuard = () => true
