import type { ResourceItem } from '../../../shared/api/resources.ts'
import { childOf, type FilePath, parentOf } from '../../../shared/path.ts'
import { ApiError } from '../../lib/api.ts'
import { t } from '../../lib/i18n/index.ts'
import { openPrompt, promptAfterOthers } from '../../lib/prompts.ts'
import { errorMessageOf } from '../files/api/error-messages.ts'
import { reloadFolder } from '../files/api/list.ts'
import { createFolder } from '../files/api/resource.ts'
import { planSteps } from '../files/operations/plan-transfer.ts'
import { reportFailures } from '../files/operations/report-failures.ts'
import { retryName } from '../files/operations/retry-name.ts'
import { sendSteps } from '../files/operations/send-steps.ts'

/** The items to share, and the folder that is made for them. */
export interface Several {
  /** That of the new folder. */
  folder: FilePath
  items: readonly ResourceItem[]
  name: string
}

/**
 * Copies the items into a new folder and opens the dialog for links to it: a link leads to one item. Never rejects: a
 * refusal of the name asks again, and items that could not be copied are listed.
 */
export async function shareSeveral({ folder, items, name }: Several): Promise<void> {
  const path = childOf(folder, name)
  try {
    await createFolder(path)
  } catch (error) {
    return retryName(
      problem => openPrompt('shareSeveral', { folder, items, value: name, problem }),
      refusalText(error, name),
    )
  }
  await copyInto(path, items, name)
}

async function copyInto(path: FilePath, items: readonly ResourceItem[], name: string): Promise<void> {
  const steps = planSteps('copy', items, path, [])
  const { failures } = await sendSteps({ action: 'copy', verify: false }, steps, () => undefined)
  await reloadFolder(parentOf(path))
  reportFailures(
    t('transfer.copyFailed', { count: failures.length }),
    failures.map(({ item: { item }, error }) => ({ item, error })),
    again => void copyInto(path, again, name),
  )
  if (failures.length === 0) void promptAfterOthers('share', { item: { path, name, isDir: true } })
}

function refusalText(error: unknown, name: string): string {
  if (error instanceof ApiError && error.status === 409) return t('files.nameTaken', { name })
  if (error instanceof ApiError && error.code === 'forbidden') return t('files.newFolderForbidden')
  return errorMessageOf(error)
}
