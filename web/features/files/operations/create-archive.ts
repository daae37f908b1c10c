import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { childOf, type FilePath, parsePath } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { errorMessageOf } from '../api/error-messages.ts'
import { jobErrorOf } from '../api/job-error.ts'
import { runJob } from '../api/jobs.ts'
import { reloadFolder } from '../api/list.ts'
import { formatNamed } from './archive-choice.ts'
import { retryName } from './retry-name.ts'
import { ifTrash, offerUndo } from './undo.ts'

/** The items to archive, and the destination. */
export interface Packing {
  folder: string
  items: readonly ResourceItem[]
  /** Of the archive, with the extension of its format. */
  name: string
  /** Key of `ARCHIVE_FORMATS`. */
  format: string
}

/**
 * Creates an archive on the server, as a job; the job panel shows its progress. Never rejects: a refusal reopens the
 * prompt for the name.
 */
export async function createArchive({ folder, items, name, format }: Packing): Promise<void> {
  const path = childOf(parsePath(folder), name)
  let change: string | undefined
  try {
    const packed = await pack(path, items, format)
    if (!packed.done) return
    change = packed.change
  } catch (error) {
    return retryName(
      reason => openPrompt('pack', { folder, items, value: name, format, problem: reason }),
      refusalText(error, name),
    )
  }
  offerUndo(t('naming.created', { name }), ifTrash([change]))
  await reloadFolder(folder)
}

/** @returns whether it was done, not cancelled, and the id of the change @throws ApiError */
async function pack(to: FilePath, items: readonly ResourceItem[], format: string) {
  const {
    items: [result],
    change,
  } = await runJob({
    kind: 'archive',
    items: items.map(({ path }) => ({ from: path })),
    archive: { to, format: formatNamed(format).algo },
  })
  if (result?.state === 'failed') throw jobErrorOf(result.code ?? '')
  return { done: result?.state === 'done', change }
}

function refusalText(error: unknown, name: string): string {
  if (error instanceof ApiError && error.status === 409) return t('files.nameTaken', { name })
  if (error instanceof ApiError && error.code === 'forbidden') return t('naming.newFileForbidden')
  return errorMessageOf(error)
}
