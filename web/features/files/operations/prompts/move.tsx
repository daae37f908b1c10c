import type { PromptProps } from '../../../../lib/prompts.ts'
import { TransferPrompt } from './transfer-prompt.tsx'

/** Asks where things are moved to. */
export default function MovePrompt({ items }: PromptProps['move']) {
  return <TransferPrompt action="move" items={items} />
}
