import { Suspense, useEffect, useLayoutEffect } from 'react'
import { holdKeys } from '../lib/held-keys.ts'
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
      <Suspense fallback={<Loading />}>
        <Prompt prompt={prompt} />
      </Suspense>
    </PartBoundary>
  )
}

function Loading() {
  useLayoutEffect(holdKeys, [])
  return <CancelOnEscape onEscape={closePrompt} />
}
