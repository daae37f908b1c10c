import { openSearchPanel } from '@codemirror/search'
import type { EditorView } from '@codemirror/view'
import { type RefObject, useEffect, useState } from 'react'

/** Milliseconds for which the hint on leaving the text is shown. */
const HINT_SHOWN = 4000

/** The bars above a text, and the hint below it. */
export interface Finding {
  /** Whether there is a text to search. */
  ready: boolean
  searching: boolean
  setSearching(open: boolean): void
  find(): void
  goingTo: boolean
  beginGoTo(): void
  endGoTo(): void
  /** Whether the hint on leaving the text is shown. */
  leaving: boolean
  showLeavingHint(): void
}

export function useFinding(view: RefObject<EditorView | null>, ready: boolean): Finding {
  const [searching, setSearching] = useState(false)
  const [goingTo, setGoingTo] = useState(false)
  const [leaving, setLeaving] = useState(false)
  useEffect(() => {
    if (!leaving) return
    const timer = setTimeout(() => setLeaving(false), HINT_SHOWN)
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
    showLeavingHint: () => setLeaving(true),
  }
}
