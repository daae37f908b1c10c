import { notify } from '../../../lib/notices.ts'
import { currentPrompt, openPrompt, type PromptName, type PromptProps } from '../../../lib/prompts.ts'
import { sessionStore } from '../../../lib/session.ts'

/**
 * Brings a prompt back with what was typed and what is wrong with it. When another question is on the screen by then,
 * a notice has to do. @param problem a sentence
 */
export function askAgain<N extends PromptName>(name: N, props: PromptProps[N], problem: string): void {
  if (currentPrompt() || !sessionStore.get().user) notify('error', problem)
  else openPrompt(name, props)
}
