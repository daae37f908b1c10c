import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { childOf, type FilePath, parsePath } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { runJob } from '../api/jobs.ts'
import { reloadFolder } from '../api/list.ts'
import { formatNamed } from './archive-choice.ts'
import { reportCreated } from './create.ts'
import { errorMessageOf } from './error-messages.ts'
import { retryName } from './retry-name.ts'
import { jobErrorOf } from './run-as-job.ts'

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
  try {
    if (!(await pack(path, items, format))) return
  } catch (error) {
    const problem = refusalText(error, name)
    return retryName('pack', { folder, items, value: name, format, problem }, problem)
  }
  reportCreated(path, folder, name)
  await reloadFolder(folder)
}

/**
 * @returns false when it was cancelled @throws ApiError
 */
async function pack(to: FilePath, items: readonly ResourceItem[], format: string): Promise<boolean> {
  const [result] = await runJob({
    kind: 'archive',
    items: items.map(({ path }) => ({ from: path })),
    archive: { to, format: formatNamed(format).algo },
  })
  if (result?.state === 'failed') throw jobErrorOf(result.code ?? '')
  return result?.state === 'done'
}

function refusalText(error: unknown, name: string): string {
  if (error instanceof ApiError && error.status === 409) return t('files.nameTaken', { name })
  if (error instanceof ApiError && error.code === 'forbidden') return t('naming.newFileForbidden')
  return errorMessageOf(error)
}
