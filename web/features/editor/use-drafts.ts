import type { Text } from '@codemirror/state'
import { useEffect, useEffectEvent, useRef } from 'react'
import { removeDraft, writeDraft } from './drafts.ts'

/** Milliseconds between two drafts of a text that is not very long, and for each million letters of one that is. */
const EVERY = 2000
const EVERY_MILLION = 500

/** Keeps drafts of a text. */
export interface Drafts {
  /** Keeps one now, if anything is to be kept. */
  keep(): void
  /** Forgets the draft, and keeps none until something else is typed. */
  forget(): void
}

/**
 * Keeps a draft of what was typed while it is not saved, also when the page goes away in any manner.
 * @param read the text as it is now, and the version it began with
 */
export function useDrafts(key: string, dirty: boolean, read: () => { text: Text; version: string }): Drafts {
  const kept = useRef<Text>(undefined)
  const dropped = useRef(false)
  const keep = () => {
    const { text, version } = read()
    if (dropped.current || text === kept.current) return
    kept.current = text
    void writeDraft(key, { text: text.toString(), version, at: Date.now() })
  }
  const keepNow = useEffectEvent(keep)
  const pace = useEffectEvent(() => EVERY + Math.floor(read().text.length / 1e6) * EVERY_MILLION)
  useEffect(() => {
    if (!dirty) return
    dropped.current = false
    const timer = setInterval(() => keepNow(), pace())
    const now = () => keepNow()
    addEventListener('pagehide', now)
    return () => {
      clearInterval(timer)
      removeEventListener('pagehide', now)
      now()
    }
  }, [dirty])
  const forget = () => {
    dropped.current = true
    kept.current = undefined
    void removeDraft(key)
  }
  return { keep, forget }
}
