import { Suspense, useEffect } from 'react'
import { locationStore } from '../lib/history.ts'
import { lazyPart } from '../lib/lazy.ts'
import { closePrompt, usePrompt } from '../lib/prompts.ts'
import { CancelOnEscape } from '../ui/cancel-on-escape.tsx'
import { PartBoundary } from './errors/boundary.tsx'

const Prompt = lazyPart(() => import('./prompts.tsx'))

/** Shows the open prompt; a change of address closes it. */
export function PromptHost() {
  const prompt = usePrompt()
  useEffect(() => locationStore.subscribe(closePrompt), [])
  if (!prompt) return null
  return (
    <PartBoundary key={prompt.id} onError={closePrompt}>
      <Suspense fallback={<CancelOnEscape onEscape={closePrompt} />}>
        <Prompt prompt={prompt} />
      </Suspense>
    </PartBoundary>
  )
}
