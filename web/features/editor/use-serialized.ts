import { useRef, useState } from 'react'

/** Does one thing after the other; what is asked for while another waits is that one. */
export function useTurns() {
  const [saving, setSaving] = useState(false)
  const last = useRef(Promise.resolve(true))
  const waiting = useRef(false)
  const inTurn = (act: () => Promise<boolean>): Promise<boolean> => {
    if (waiting.current) return last.current
    waiting.current = true
    last.current = last.current.then(async () => {
      waiting.current = false
      setSaving(true)
      return act().finally(() => setSaving(false))
    })
    return last.current
  }
  return { saving, inTurn }
}
