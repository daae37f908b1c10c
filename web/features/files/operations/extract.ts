import type { JobItem } from '../../../../shared/api/jobs.ts'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { ConflictChoice } from '../../../../shared/conflicts.ts'
import { type FilePath, nameOf, parentOf } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { promptAfterOthers } from '../../../lib/prompts.ts'
import { runJob } from '../api/jobs.ts'
import { reloadFolders } from '../api/list.ts'
import { requestFocus } from '../items/focus-request.ts'
import { errorMessageOf } from './error-messages.ts'
import { jobErrorOf } from './run-as-job.ts'

/** What to extract, where to, and the policy for conflicts. */
export interface Extraction {
  item: Pick<ResourceItem, 'path' | 'name'>
  to: FilePath
  conflict: ConflictChoice
}

/** Extracts an archive on the server, as a job. Never rejects: entries that failed are listed. */
export async function extractItem(extraction: Extraction): Promise<void> {
  const { item, to, conflict } = extraction
  const failures = await extract(item, to, conflict).catch((error: unknown) => [
    { name: item.name, reason: errorMessageOf(error) },
  ])
  requestFocus(parentOf(to), nameOf(to))
  await reloadFolders()
  if (failures.length === 0) return
  void promptAfterOthers('error', {
    title: t('picker.extractOne', { name: item.name }),
    failures,
    onRetry: () => void extractItem(extraction),
  })
}

async function extract({ path, name }: Extraction['item'], to: FilePath, conflict: ConflictChoice) {
  const results = await runJob({ kind: 'extract', items: [{ from: path, to }], conflict })
  const failed = results.filter(({ state }) => state === 'failed')
  return failed.map(({ member = name, code = '' }: JobItem) => ({
    name: member,
    reason: errorMessageOf(jobErrorOf(code)),
  }))
}
