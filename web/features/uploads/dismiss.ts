import { openPrompt } from '../../lib/prompts.ts'
import type { UploadQueue } from './queue.ts'

/** Cancels all uploads after a question, or dismisses those that have failed. */
export function dismissAll(queue: UploadQueue): void {
  const { active, queued } = queue.get().totals
  if (active + queued === 0) return queue.cancelAll()
  openPrompt('cancelUploads', { run: () => queue.isRunning && queue.cancelAll() })
}
