import { notify } from '../../../lib/notices.ts'
import { currentPrompt, openPrompt, type PromptName, type PromptProps } from '../../../lib/prompts.ts'
import { sessionStore } from '../../../lib/session.ts'

/**
 * Reopens a prompt with the user's input and an error. Shows a notice instead when another prompt is open by then.
 * @param problem a sentence
 */
export function retryName<N extends PromptName>(name: N, props: PromptProps[N], problem: string): void {
  if (currentPrompt() || !sessionStore.get().user) notify('error', problem)
  else openPrompt(name, props)
}
