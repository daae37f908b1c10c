import type { JobItem, JobRequest } from '../../../../shared/api/jobs.ts'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { jobErrorOf } from '../api/job-error.ts'
import { runJob } from '../api/jobs.ts'
import type { Failure } from '../api/try-each.ts'

/** Largest single file, in bytes, that is transferred without a progress display. */
const QUICK = 16 * 1024 * 1024

/** Whether a single call suffices. */
export function isQuick([item, ...others]: readonly ResourceItem[]): boolean {
  return item !== undefined && others.length === 0 && !item.isDir && item.size <= QUICK
}

/** What an operation on several items did. */
export interface Performed<T> {
  failures: Failure<T>[]
  /** The id of the change that it was recorded as. */
  change: string | undefined
}

/**
 * Performs many operations on the server, as a job.
 * @param request the job; its items correspond to the steps by index
 * @param onDone called for each completed step with its result
 * @returns the steps that failed, where skipped and cancelled ones are no failures; and the id of the change
 */
export async function runAsJob<T>(
  steps: readonly T[],
  request: JobRequest,
  onDone: (step: T, item: JobItem) => void,
): Promise<Performed<T>> {
  const failures: Failure<T>[] = []
  try {
    const { items, change } = await runJob(request)
    for (const [index, step] of steps.entries()) {
      const result = items[index]
      if (result?.state === 'done') onDone(step, result)
      else if (result?.state === 'failed') {
        const { code = '', bytes } = result
        failures.push({ item: step, error: jobErrorOf(code), ...(bytes !== undefined && { bytes }) })
      }
    }
    return { failures, change }
  } catch (error) {
    return { failures: steps.map(item => ({ item, error })), change: undefined }
  }
}
