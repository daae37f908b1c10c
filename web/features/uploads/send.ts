import { targetOf, type UploadJob } from './job.ts'
import type { Transport } from './transport-types.ts'

/** How a job left the queue; `there`: an existing folder. */
export type Outcome = 'done' | 'skipped' | 'there'

/**
 * Sends one job according to its decision. The server enforces it: only the version shown, or an older one, is
 * replaced.
 * @param onChange called with the progress
 * @throws what the transport throws
 */
export async function send(
  transport: Transport,
  job: UploadJob,
  signal: AbortSignal,
  onChange: (change: Partial<UploadJob>) => void,
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
    onKept: bytes => onChange({ begun: true, kept: bytes, ...(bytes > job.kept ? { attempts: 0 } : {}) }),
    onProgress: sent => onChange({ sent: Math.min(sent, size) }),
  })
  return 'done'
}

/** Different lengths need no comparison of the content. */
async function isThere(transport: Transport, job: UploadJob, file: File, signal: AbortSignal): Promise<boolean> {
  if (job.existing && job.existing.size !== file.size) return false
  return transport.isSame(targetOf(job), file, signal)
}

/** The version that may be replaced, by its modification time in seconds. */
function unmodifiedSince({ decision, existing }: UploadJob, file: File): number | undefined {
  if (decision === 'replaceOlder') return file.lastModified - 1000
  return decision === 'replace' || decision === 'skipIdentical' ? existing?.modified : undefined
}
