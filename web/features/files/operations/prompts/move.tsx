import type { PromptProps } from '../../../../lib/prompts.ts'
import { TransferPrompt } from './transfer-prompt.tsx'

/** Prompts for the destination of a move. */
export default function MovePrompt({ items }: PromptProps['move']) {
  return <TransferPrompt action="move" items={items} />
}
