import type { ResourceItem } from '../../../shared/api/resources.ts'
import { childOf, type FilePath, nameOf, parentOf, parsePath } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { errorMessageOf } from '../files/api/error-messages.ts'
import { jobErrorOf } from '../files/api/job-error.ts'
import { runJob } from '../files/api/jobs.ts'
import { reloadFolders } from '../files/api/list.ts'
import type { Failure } from '../files/api/try-each.ts'
import { requestFocus } from '../files/items/focus-request.ts'
import { reportFailures } from '../files/operations/report-failures.ts'
import { offerUndo } from '../files/operations/undo.ts'

/** An item and its new name. */
export interface Renaming {
  item: ResourceItem
  name: string
}

interface Step {
  item: ResourceItem
  from: FilePath
  to: FilePath
}

/** Renames items as one job, reports what failed, and offers to undo the rest. Never rejects. */
export async function renameMany(renamings: readonly Renaming[]): Promise<void> {
  const steps = renamings.map(({ item, name }): Step => {
    const from = parsePath(item.path)
    return { item, from, to: childOf(parentOf(from), name) }
  })
  try {
    const { done, failures, change } = await send(steps)
    const [first] = done
    if (first) {
      requestFocus(parentOf(first.to), nameOf(first.to))
      offerUndo(t('renameMany.done', { count: done.length }), [change])
    }
    const again = new Map(renamings.map(renaming => [renaming.item, renaming]))
    reportFailures(t('renameMany.failed', { count: failures.length }), failures, items => {
      void renameMany(items.flatMap(item => again.get(item) ?? []))
    })
  } catch (error) {
    notify('error', errorMessageOf(error))
  }
  await reloadFolders()
}

interface Sent {
  done: Step[]
  failures: Failure<ResourceItem>[]
  /** The id of the change. */
  change: string | undefined
}

/** The server orders the items so that names become free in time: its results are matched by path. @throws ApiError */
async function send(steps: readonly Step[]): Promise<Sent> {
  const { items, change } = await runJob({ kind: 'rename', items: steps.map(({ from, to }) => ({ from, to })) })
  const byPath = new Map(items.map(result => [result.from, result]))
  const done: Step[] = []
  const failures: Failure<ResourceItem>[] = []
  for (const step of steps) {
    const { state, code = '' } = byPath.get(step.from) ?? {}
    if (state === 'done') done.push(step)
    else if (state === 'failed') failures.push({ item: step.item, error: jobErrorOf(code) })
  }
  return { done, failures, change }
}
