import { useEffect, useRef, useState } from 'react'

/** Milliseconds without input after which the navigation buttons hide. */
const HIDE_AFTER = 1500
/** Milliseconds for which further input is ignored. */
const LOOK_EVERY = 500

/** Whether there has been no input for a while. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false)
  const lookedAt = useRef(0)
  useEffect(() => {
    let timer = setTimeout(() => setIdle(true), HIDE_AFTER)
    const wake = () => {
      if (Date.now() - lookedAt.current < LOOK_EVERY) return
      lookedAt.current = Date.now()
      setIdle(false)
      clearTimeout(timer)
      timer = setTimeout(() => setIdle(true), HIDE_AFTER)
    }
    const kinds = ['pointermove', 'pointerdown', 'keydown'] as const
    for (const kind of kinds) addEventListener(kind, wake)
    return () => {
      clearTimeout(timer)
      for (const kind of kinds) removeEventListener(kind, wake)
    }
  }, [])
  return idle
}
