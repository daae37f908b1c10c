import type { PromptProps } from '../../../../lib/prompts.ts'
import { TransferPrompt } from './transfer-prompt.tsx'

/** Prompts for the destination of a copy. */
export default function CopyPrompt({ items }: PromptProps['copy']) {
  return <TransferPrompt action="copy" items={items} />
}
