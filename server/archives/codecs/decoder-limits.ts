import { Semaphore } from '../../lib/limit.ts'

/** Decoder threads for requests. */
export const READER_DECODERS = new Semaphore(2)
/** Decoder threads for jobs, which may take hours and must not keep requests waiting. */
export const JOB_DECODERS = new Semaphore(2)
