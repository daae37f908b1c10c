import type { PromptProps } from '../../../../lib/prompts.ts'
import { TransferPrompt } from './transfer-prompt.tsx'

/** Asks where things are copied to. */
export default function CopyPrompt({ items }: PromptProps['copy']) {
  return <TransferPrompt action="copy" items={items} />
}
