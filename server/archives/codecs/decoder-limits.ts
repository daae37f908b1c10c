import { Semaphore } from '../../lib/limit.ts'

/** Decoder threads for requests. */
export const REQUEST_SEMAPHORE = new Semaphore(2)
/** Decoder threads for jobs, which may take hours and must not keep requests waiting. */
export const JOB_SEMAPHORE = new Semaphore(2)
