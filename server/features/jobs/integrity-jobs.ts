import { shownName } from '../../../shared/bytes.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { JobItemsTable, JobsTable } from '../../db/schema.ts'
import { AppError, asAppError } from '../../errors.ts'
import type { Files } from '../../files/files.ts'
import type { JobPayloads } from '../../jobs/job-kinds.ts'
import type { ItemResult, Tools } from '../../jobs/run.ts'

/**
 * Reads a file, or every file of a folder, and compares it with its known checksum; a file without one has it then. What
 * differs is a finding, and a failed part of the item.
 * @throws checksum_mismatch for a file that differs, and what reading it throws
 */
export async function verifyItem(own: Files, item: JobItemsTable, tools: Tools): Promise<ItemResult> {
  const { signal, progress } = tools
  const top = await own.info(item.source as FilePath)
  if (top.kind !== 'folder') {
    await verifyFile(own, top.path, signal)
    progress({ entries: 1, bytes: top.size })
    return { state: 'done' }
  }
  for await (const group of await own.walk(top.path, { signal })) {
    for (const { entry, skipped } of group) {
      if (skipped) await report(tools, skipped.path, new AppError(skipped.code))
      else if (entry.kind === 'file' && !entry.isLink) {
        await verifyFile(own, entry.path, signal).catch(thrown => {
          signal.throwIfAborted()
          return report(tools, entry.path, thrown)
        })
      }
      progress({ entries: 1, bytes: entry?.kind === 'file' ? entry.size : 0 })
    }
  }
  return { state: 'done' }
}

async function verifyFile(own: Files, path: FilePath, signal: AbortSignal): Promise<void> {
  const verdict = await own.checksums.verify(path, signal)
  if (verdict === 'rotten' || verdict === 'quiet') throw new AppError('checksum_mismatch')
}

async function report({ failed }: Tools, path: FilePath, thrown: unknown): Promise<void> {
  await failed({ member: shownName(path), target: path, code: asAppError(thrown).code })
}

/** @throws forbidden, bad_request without a file that stays */
export function demandResolve(own: Files, from: FilePath, to: FilePath | undefined): void {
  if (to === undefined) throw new AppError('bad_request')
  own.demandRead(from)
}

/** Gives back the room of a duplicate; see `Duplicates.resolve`. */
export async function resolveItem(own: Files, job: JobsTable, item: JobItemsTable, tools: Tools): Promise<ItemResult> {
  const { act }: JobPayloads['resolve'] = JSON.parse(job.payload)
  tools.signal.throwIfAborted()
  const to = (item.target ?? item.source) as FilePath
  const { done, kept } = await own.duplicates.resolve(item.source as FilePath, to, act)
  tools.progress({ entries: 1 })
  return { state: done ? 'done' : 'skipped', ...(kept !== undefined && { kept }) }
}
