import type { JobItem } from '../../../../shared/api/jobs.ts'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { ConflictChoice } from '../../../../shared/conflicts.ts'
import { type FilePath, nameOf, parentOf } from '../../../../shared/path.ts'
import { t } from '../../../lib/i18n/index.ts'
import { promptAfterOthers } from '../../../lib/prompts.ts'
import { errorMessageOf } from '../api/error-messages.ts'
import { jobErrorOf } from '../api/job-error.ts'
import { runJob } from '../api/jobs.ts'
import { reloadFolders } from '../api/list.ts'
import { requestFocus } from '../items/focus-request.ts'
import { ifTrash, offerUndo } from './undo.ts'

/** What to extract, where to, and the policy for conflicts. */
export interface Extraction {
  item: Pick<ResourceItem, 'path' | 'name'>
  to: FilePath
  conflict: ConflictChoice
}

/** Extracts an archive on the server, as a job. Never rejects: entries that failed are listed. */
export async function extractItem(extraction: Extraction): Promise<void> {
  const { item, to, conflict } = extraction
  const { failures, done, change } = await extract(item, to, conflict).catch((error: unknown) => ({
    failures: [{ name: item.name, reason: errorMessageOf(error) }],
    done: 0,
    change: undefined,
  }))
  if (done > 0) offerUndo(t('changes.extract', { count: done }), ifTrash([change]))
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
  const { items, change } = await runJob({ kind: 'extract', items: [{ from: path, to }], conflict })
  const failed = items.filter(({ state }) => state === 'failed')
  const failures = failed.map(({ member = name, code = '' }: JobItem) => ({
    name: member,
    reason: errorMessageOf(jobErrorOf(code)),
  }))
  return { failures, done: items.filter(({ state }) => state === 'done').length, change }
}
