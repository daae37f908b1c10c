import { openPrompt } from '../../lib/prompts.ts'
import { useBlocker } from '../../lib/router.tsx'
import type { Drafts } from './use-drafts.ts'

interface GuardOptions {
  /** Name of the file. */
  name: string
  dirty: boolean
  /** The same, at the time of the call. */
  isDirty: () => boolean
  /** @returns whether it was saved */
  save: () => Promise<boolean>
  drafts: Drafts
}

/** Prompts to save unsaved changes before the text is left. */
export function useGuard({ name, dirty, isDirty, save, drafts }: GuardOptions): void {
  useBlocker(dirty, async () => {
    if (!isDirty()) return true
    const choice = await new Promise<'save' | 'discard' | 'stay'>(answer => openPrompt('leaveText', { name, answer }))
    if (choice === 'discard') drafts.forget()
    return choice === 'save' ? save() : choice === 'discard'
  })
}
