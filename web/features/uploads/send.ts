import { targetOf, type UploadJob } from './job.ts'
import type { Transport } from './transport-types.ts'

/** How a job left the queue; `there`: a folder that existed before. */
export type Outcome = 'done' | 'skipped' | 'there'

/**
 * Sends one job as was decided about it. The server enforces the decision: only what somebody has seen, or what is
 * older, gives way.
 * @param noted told of how far it is
 * @throws what the transport throws
 */
export async function send(
  transport: Transport,
  job: UploadJob,
  signal: AbortSignal,
  noted: (change: Partial<UploadJob>) => void,
): Promise<Outcome> {
  const target = targetOf(job)
  const { file, decision, size } = job
  if (!file) {
    await transport.makeFolder(target, signal)
    return job.existing ? 'there' : 'done'
  }
  if (decision === 'skipIdentical' && !job.begun && (await isThere(transport, job, file, signal))) return 'skipped'
  await transport.sendFile(target, file, {
    override: decision !== undefined && decision !== 'keepBoth',
    unmodifiedSince: unmodifiedSince(job, file),
    begun: job.begun,
    kept: job.kept,
    attempt: job.attempts,
    signal,
    onKept: bytes => noted({ begun: true, kept: bytes, ...(bytes > job.kept ? { attempts: 0 } : {}) }),
    onProgress: sent => noted({ sent: Math.min(sent, size) }),
  })
  return 'done'
}

/** Lengths that differ need no look at the content. */
async function isThere(transport: Transport, job: UploadJob, file: File, signal: AbortSignal): Promise<boolean> {
  if (job.existing && job.existing.size !== file.size) return false
  return transport.isSame(targetOf(job), file, signal)
}

/** What may be replaced, by the second in which it was changed last. */
function unmodifiedSince({ decision, existing }: UploadJob, file: File): number | undefined {
  if (decision === 'replaceOlder') return file.lastModified - 1000
  return decision === 'replace' || decision === 'skipIdentical' ? existing?.modified : undefined
}
