import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { childOf, type FilePath, parsePath } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { t } from '../../../lib/i18n/index.ts'
import { runJob } from '../../../lib/jobs.ts'
import type { PromptProps } from '../../../lib/prompts.ts'
import { reloadFolder } from '../api/list.ts'
import { formatNamed } from './archive-choice.ts'
import { tellMade } from './create.ts'
import { reasonOf } from './error-messages.ts'
import { refusalOf } from './job-error.ts'
import { askAgain } from './retry-name.ts'

/** What an archive is to be made of, and where. */
export interface Packing {
  folder: string
  items: readonly ResourceItem[]
  /** Of the archive, with the ending that its format has. */
  name: string
  /** As `ARCHIVE_FORMATS` calls it. */
  format: string
}

/**
 * Has the server make an archive, however long that takes; the panel of jobs shows how far it is. Never fails: a refusal
 * asks for the name again.
 */
export async function packItems({ folder, items, name, format }: Packing): Promise<void> {
  const path = childOf(parsePath(folder), name)
  try {
    if (!(await pack(path, items, format))) return
  } catch (error) {
    const problem = refusalText(error, name)
    return askAgain('pack', { folder, items, value: name, format, problem } satisfies PromptProps['pack'], problem)
  }
  tellMade(path, folder, name)
  await reloadFolder(folder)
}

/** @returns whether it was made, and not cancelled @throws ApiError */
async function pack(to: FilePath, items: readonly ResourceItem[], format: string): Promise<boolean> {
  const [result] = await runJob({
    kind: 'archive',
    items: items.map(({ path }) => ({ from: path })),
    archive: { to, format: formatNamed(format).algo },
  })
  if (result?.state === 'failed') throw refusalOf(result.code ?? '')
  return result?.state === 'done'
}

function refusalText(error: unknown, name: string): string {
  if (error instanceof ApiError && error.status === 409) return t('files.nameTaken', { name })
  if (error instanceof ApiError && error.code === 'forbidden') return t('naming.newFileForbidden')
  return reasonOf(error)
}
