import { useEffect, useEffectEvent, useRef } from 'react'
import { removeDraft, writeDraft } from './drafts.ts'

/** Milliseconds between two drafts. */
const EVERY = 2000

/**
 * Keeps a draft of what was typed while it is not saved, also when the page goes away in any manner.
 * @param read the text as it is now, and the version it began with
 * @returns forgets the draft, and keeps none until something else is typed
 */
export function useDrafts(key: string, dirty: boolean, read: () => { text: string; version: string }): () => void {
  const kept = useRef<string>(undefined)
  const dropped = useRef(false)
  const keep = useEffectEvent(() => {
    const { text, version } = read()
    if (dropped.current || text === kept.current) return
    kept.current = text
    void writeDraft(key, { text, version, at: Date.now() })
  })
  useEffect(() => {
    if (!dirty) return
    dropped.current = false
    const timer = setInterval(() => keep(), EVERY)
    const now = () => keep()
    addEventListener('pagehide', now)
    return () => {
      clearInterval(timer)
      removeEventListener('pagehide', now)
      now()
    }
  }, [dirty])
  return () => {
    dropped.current = true
    kept.current = undefined
    void removeDraft(key)
  }
}
