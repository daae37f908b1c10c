import { ACTION_NOTICE_TIMEOUT } from '../../../../shared/limits.ts'
import { t } from '../../../lib/i18n/index.ts'
import { dismissNotice, notify } from '../../../lib/notices.ts'
import { sessionStore } from '../../../lib/session.ts'
import { errorMessageOf } from './error-messages.ts'

interface Step {
  notice: number
  undo: () => Promise<void>
  told: boolean
  /** Expiry of the offer, in milliseconds since the epoch. */
  until: number
  /** Id of the user. */
  user: number | undefined
}

/** Length of the undo stack. */
const MAX_STEPS = 20
let steps: readonly Step[] = []

export interface UndoOptions {
  /**
   * Undoing removes what was created: only offered as long as its notice, because the item may have been edited later.
   */
  removes?: boolean
  /** Undoing has a notice of its own. */
  told?: boolean
}

/** Announces an operation and offers to undo it: on the notice, and by Ctrl+Z. */
export function offerUndo(
  text: string,
  undo: () => Promise<void>,
  { removes = false, told = false }: UndoOptions = {},
): void {
  const until = removes ? Date.now() + ACTION_NOTICE_TIMEOUT : Number.POSITIVE_INFINITY
  const take = () => void perform(step)
  const notice = notify('success', text, { label: t('undo.undo'), run: take })
  const step: Step = { notice, undo, told, until, user: sessionStore.get().user?.id }
  steps = [...steps, step].slice(-MAX_STEPS)
}

/** Whether there is an operation to undo. */
export function canUndo(): boolean {
  return lastStep() !== undefined
}

/** Undoes the last operation that can be undone. */
export async function undoLast(): Promise<void> {
  const step = lastStep()
  if (!step) return
  dismissNotice(step.notice)
  await perform(step)
}

function lastStep(): Step | undefined {
  const user = sessionStore.get().user?.id
  return steps.findLast(step => step.user === user && step.until > Date.now())
}

async function perform(step: Step): Promise<void> {
  if (!steps.includes(step)) return
  steps = steps.filter(other => other !== step)
  try {
    await step.undo()
    if (!step.told) notify('success', t('undo.done'))
  } catch (error) {
    notify('error', t('undo.failed', { reason: errorMessageOf(error) }))
  }
}
