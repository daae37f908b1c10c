import { openSearchPanel } from '@codemirror/search'
import type { EditorView } from '@codemirror/view'
import { type RefObject, useEffect, useState } from 'react'

/** Milliseconds for which is told how to leave the text. */
const TOLD = 4000

/** The bars above a text, and the hint below it. */
export interface Finding {
  /** Whether there is a text to find something in. */
  ready: boolean
  searching: boolean
  setSearching(open: boolean): void
  find(): void
  goingTo: boolean
  beginGoTo(): void
  endGoTo(): void
  /** Whether is told how to leave the text. */
  leaving: boolean
  tellLeaving(): void
}

export function useFinding(view: RefObject<EditorView | null>, ready: boolean): Finding {
  const [searching, setSearching] = useState(false)
  const [goingTo, setGoingTo] = useState(false)
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    if (!leaving) return
    const timer = setTimeout(() => setLeaving(false), TOLD)
    return () => clearTimeout(timer)
  }, [leaving])
  return {
    ready,
    searching: ready && searching,
    setSearching,
    find: () => {
      setGoingTo(false)
      if (view.current) openSearchPanel(view.current)
    },
    goingTo: ready && goingTo,
    beginGoTo: () => setGoingTo(true),
    endGoTo: () => {
      setGoingTo(false)
      view.current?.focus()
    },
    leaving,
    tellLeaving: () => setLeaving(true),
  }
}
