import { useRef, useState } from 'react'

/** Runs calls one after the other; a call made while another is queued joins the queued one. */
export function useSerialized() {
  const [saving, setSaving] = useState(false)
  const last = useRef(Promise.resolve(true))
  const waiting = useRef(false)
  const serialized = (act: () => Promise<boolean>): Promise<boolean> => {
    if (waiting.current) return last.current
    waiting.current = true
    last.current = last.current.then(async () => {
      waiting.current = false
      setSaving(true)
      return act().finally(() => setSaving(false))
    })
    return last.current
  }
  return { saving, serialized }
}
