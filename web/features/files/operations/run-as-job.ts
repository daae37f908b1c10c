import type { JobItem, JobRequest } from '../../../../shared/api/jobs.ts'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { runJob } from '../../../lib/jobs.ts'
import type { Failure } from '../api/each.ts'
import { refusalOf } from './job-error.ts'

/** Bytes up to which a single file is done so quickly that nobody wants to see how far it is. */
const QUICK = 16 * 1024 * 1024

/** Whether a call of its own is all it takes. */
export function isQuick([item, ...others]: readonly ResourceItem[]): boolean {
  return item !== undefined && others.length === 0 && !item.isDir && item.size <= QUICK
}

/**
 * Has the server do many things, however long that takes.
 * @param request of the job; its items stand for the steps, one by one
 * @param onDone told of each step that was done, and where it went
 * @returns those that could not be done; what was skipped or cancelled is no failure
 */
export async function doTogether<T>(
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
      else if (result?.state === 'failed') failures.push({ item: step, error: refusalOf(result.code ?? '') })
    }
    return failures
  } catch (error) {
    return steps.map(item => ({ item, error }))
  }
}
