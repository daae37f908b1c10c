import type { JobItem, JobRequest } from '../../../../shared/api/jobs.ts'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { ApiError } from '../../../lib/api.ts'
import { runJob } from '../api/jobs.ts'
import type { Failure } from '../api/try-each.ts'

/** Largest single file, in bytes, that is transferred without a progress display. */
const QUICK = 16 * 1024 * 1024

/** Whether a single call suffices. */
export function isQuick([item, ...others]: readonly ResourceItem[]): boolean {
  return item !== undefined && others.length === 0 && !item.isDir && item.size <= QUICK
}

/**
 * Performs many operations on the server, as a job.
 * @param request the job; its items correspond to the steps by index
 * @param onDone called for each completed step with its result
 * @returns the steps that failed; skipped and cancelled ones are not failures
 */
export async function runAsJob<T>(
  steps: readonly T[],
  request: JobRequest,
  onDone: (step: T, item: JobItem) => void,
): Promise<Failure<T>[]> {
  const failures: Failure<T>[] = []
  try {
    const results = await runJob(request)
    for (const [index, step] of steps.entries()) {
      const result = results[index]
      if (result?.state === 'done') onDone(step, result)
      else if (result?.state === 'failed') failures.push({ item: step, error: jobErrorOf(result.code ?? '') })
    }
    return failures
  } catch (error) {
    return steps.map(item => ({ item, error }))
  }
}

/** Statuses of the codes that the interface distinguishes by status; all others are matched by code. */
const STATUSES: Readonly<Record<string, number>> = {
  exists: 409,
  is_a_folder: 409,
  not_a_folder: 409,
  not_found: 404,
  forbidden: 403,
  no_space: 507,
}

/** Converts the failure of a job's item to the error that a single call would throw. */
export function jobErrorOf(code: string): ApiError {
  return new ApiError(STATUSES[code] ?? 500, code, code)
}
