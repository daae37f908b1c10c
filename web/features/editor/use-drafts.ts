import type { Text } from '@codemirror/state'
import { useEffect, useEffectEvent, useRef } from 'react'
import { removeDraft, writeDraft } from './drafts.ts'

/** Interval between drafts in milliseconds: for texts of moderate length, and per million characters of longer ones. */
const EVERY = 2000
const EVERY_MILLION = 500

/** Stores drafts of a text. */
export interface Drafts {
  /** Stores a draft now, if there are unsaved changes. */
  keep(): void
  /** Deletes the draft, and stores none until the next change. */
  forget(): void
}

/**
 * Stores unsaved text as a draft, also when the page is closed or discarded.
 * @param read the current text, and the version it is based on
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
