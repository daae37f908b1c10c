import { useState } from 'react'
import type { NewToken, TokenScope } from '../../../../shared/api/tokens.ts'
import { TokenForm } from '../tokens/token-form.tsx'
import { TokenSecret } from '../tokens/token-secret.tsx'

interface TokenPromptProps {
  /** Rights that are ticked at first. */
  scopes?: readonly TokenScope[]
}

/** A new API token: the form, then its secret, which is shown once. */
export default function TokenPrompt({ scopes = ['read'] }: TokenPromptProps) {
  const [made, setMade] = useState<NewToken>()
  return made ? <TokenSecret made={made} /> : <TokenForm atFirst={scopes} onMade={setMade} />
}
