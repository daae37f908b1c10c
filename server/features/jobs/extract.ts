import { shownName } from '../../../shared/bytes.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { ExtractLimits } from '../../archives/extract/budget.ts'
import { type ExtractNote, extractArchive, measureArchive } from '../../archives/extract/extract.ts'
import type { JobItemsTable, JobsTable } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { ItemResult, Tools } from '../../jobs/run.ts'
import { KeptContents } from '../../responses/conditions.ts'
import { decidedIn } from './conflict-decisions.ts'

/** An archive to extract, and its limits. */
export interface ExtractOptions {
  job: JobsTable
  item: JobItemsTable
  limits: ExtractLimits
}

/** Extracts an archive; entries that cannot be extracted are reported as parts. @throws see `extractArchive` */
export async function extract(own: Files, { job, item, limits }: ExtractOptions, tools: Tools): Promise<ItemResult> {
  const { signal, progress, note } = tools
  const kept = new KeptContents()
  await extractArchive(own, item.source as FilePath, (item.target ?? '/') as FilePath, {
    limits,
    choose: decidedIn(job, item).choose,
    signal,
    progress,
    note,
    noted: tools.noted as ExtractNote | undefined,
    kept: kept.add,
    refused: ({ name, goal, code }) => tools.failed({ member: shownName(name), target: goal, code }),
  })
  return { state: 'done', ...(kept.value !== undefined && { kept: kept.value }) }
}

/** The total size of all archives, as far as each declares one. */
export async function measureArchives(own: Files, items: readonly JobItemsTable[], signal: AbortSignal) {
  const sum = { bytes: 0, entries: 0 }
  for (const { source, state } of items) {
    if (state === 'failed') continue
    const reported = await measureArchive(own, source as FilePath, signal)
    if (!reported) return undefined
    sum.bytes += reported.bytes
    sum.entries += reported.entries
  }
  return sum
}

/** @throws forbidden, bad_request without a folder */
export function demandExtract(own: Files, from: FilePath, to: FilePath | undefined): void {
  if (to === undefined) throw new AppError('bad_request')
  own.demandRead(from)
  own.demandCreate(to)
}
