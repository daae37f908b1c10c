import { useRef } from 'react'
import { openPrompt } from './prompts.ts'
import { useBlocker } from './router.tsx'

/** Prompts whether to discard unsaved input. */
const askDiscard = (): Promise<boolean> => new Promise(answer => openPrompt('discard', { answer }))

/**
 * While `dirty`, prompts before the page is left.
 * @returns a function that lets the next navigation pass, because everything has been saved or deleted
 */
export function useUnsavedGuard(dirty: boolean): () => void {
  const released = useRef(false)
  useBlocker(dirty, () => released.current || askDiscard())
  return () => {
    released.current = true
  }
}
