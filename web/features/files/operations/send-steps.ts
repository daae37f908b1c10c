import { parentOf, parsePath } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { pageConfig } from '../../../lib/config.ts'
import { type TransferAction, transferResource } from '../api/resource.ts'
import { tryEach } from '../api/try-each.ts'
import { requestFor, type Step, type TransferOrder } from './plan-transfer.ts'
import { isQuick, type Performed, runAsJob } from './run-as-job.ts'

/**
 * Copies or moves on the server: one quick step by a call of its own, everything else as a job, which shows its
 * progress and survives a closed page and a restart of the server.
 * @param onDone called for each completed step, with its final path
 * @returns as `runAsJob`
 */
export async function sendSteps(
  order: TransferOrder,
  steps: readonly Step[],
  onDone: (step: Step) => void,
): Promise<Performed<Step>> {
  if (isSingleCall(order, steps)) {
    let change: string | undefined
    const failures = await tryEach(steps, async step => {
      change = await sendStep(order.action, step)
      onDone(step)
    })
    return { failures, change }
  }
  return runAsJob(steps, requestFor(order, steps), (step, { to = step.to }) => onDone({ ...step, to: parsePath(to) }))
}

/** Whether one call suffices: for a small file, or a new name in the same folder of a disk; only a job verifies. */
export function isSingleCall({ action, verify }: TransferOrder, steps: readonly Step[]): boolean {
  const [step] = steps
  if (verify || !step || steps.length > 1 || step.decided) return false
  const renames = action === 'move' && !pageConfig.MovesByCopy && parentOf(step.from) === parentOf(step.to)
  return renames || isQuick([step.item])
}

/** Sends one step; the server chooses another number if the name is taken by then. @returns the id of the change */
async function sendStep(action: TransferAction, step: Step): Promise<string | undefined> {
  try {
    return await transferResource(action, step)
  } catch (error) {
    if (!step.numbered || !(error instanceof ApiError) || error.status !== 409) throw error
    return transferResource(action, { ...step, rename: true })
  }
}
