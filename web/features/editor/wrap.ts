import { useState } from 'react'

const STORAGE_KEY = 'filigree.wrap'

/** Whether long lines are wrapped, as this browser was told last. */
export function useWrap(): [boolean, () => void] {
  const [wrap, setWrap] = useState(readWrap)
  const toggle = () => {
    setWrap(!wrap)
    saveWrap(!wrap)
  }
  return [wrap, toggle]
}

function readWrap(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) !== 'off'
  } catch {
    return true
  }
}

function saveWrap(wrap: boolean): void {
  try {
    localStorage.setItem(STORAGE_KEY, wrap ? 'on' : 'off')
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the editor.
  }
}
