import { notify } from '../../../lib/notices.ts'
import { currentPrompt } from '../../../lib/prompts.ts'
import { sessionStore } from '../../../lib/session.ts'
import { namingStore } from '../items/naming.ts'

/** How a name is used. */
export interface Naming {
  /** Whether the row is focused and selected. */
  focus: boolean
  /** Asks again, with the user's input and the reason of the refusal. */
  retry: (problem: string) => void
}

/** Asks again for a refused name. Shows a notice instead while something else is asked by then. */
export function retryName(retry: Naming['retry'], problem: string): void {
  if (currentPrompt() || namingStore.get() || !sessionStore.get().user) notify('error', problem)
  else retry(problem)
}
