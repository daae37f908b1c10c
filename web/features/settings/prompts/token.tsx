import { useState } from 'react'
import type { NewToken } from '../../../../shared/api/tokens.ts'
import { TokenForm } from '../tokens/token-form.tsx'
import { TokenSecret } from '../tokens/token-secret.tsx'

/** A new API token: the form, then its secret, which is shown once. */
export default function TokenPrompt() {
  const [made, setMade] = useState<NewToken>()
  return made ? <TokenSecret made={made} /> : <TokenForm onMade={setMade} />
}
