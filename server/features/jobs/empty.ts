import type { JobItemsTable, JobsTable } from '../../db/schema.ts'
import { asAppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { JobPayloads } from '../../jobs/job-kinds.ts'
import type { ItemResult, Tools } from '../../jobs/run.ts'

/** The payload of a job with very many items is parsed once. */
const payloads = new WeakMap<JobsTable, JobPayloads['empty']>()

/** Deletes a thing for good, and frees its space. One that has left the trash is skipped. */
export async function purgeItem(own: Files, job: JobsTable, item: JobItemsTable, tools: Tools): Promise<ItemResult> {
  try {
    const purged = await own.trash.purge(payloadOf(job).ids[item.position] ?? '')
    await own.trash.clear([purged])
    tools.progress({ entries: 1, bytes: purged.size })
    return { state: 'done' }
  } catch (thrown) {
    const { code } = asAppError(thrown)
    if (code === 'not_found' || code === 'gone') return { state: 'skipped' }
    throw thrown
  }
}

/** What the job frees; folders that were not counted are missing. */
export async function measureEmptying(job: JobsTable): Promise<{ bytes: number; entries: number }> {
  const { ids, bytes } = payloadOf(job)
  return { bytes, entries: ids.length }
}

function payloadOf(job: JobsTable): JobPayloads['empty'] {
  const payload = payloads.get(job) ?? (JSON.parse(job.payload) as JobPayloads['empty'])
  payloads.set(job, payload)
  return payload
}
