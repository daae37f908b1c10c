import { useMemo, useRef, useState } from 'react'
import { openPrompt } from '../../lib/prompts.ts'
import { useBlocker } from '../../lib/router.tsx'

/** The values of a form until they are saved. */
export interface Draft<T> {
  value: T
  /** The last saved values. */
  saved: T
  /** Whether saving would change anything. */
  dirty: boolean
  change(part: Partial<T>): void
  /** Resets to the last saved values. */
  discard(): void
  /** Marks the current values as saved. @param part values that saving itself has changed */
  settle(part?: Partial<T>): void
}

/**
 * @param start the saved values, or their factory; later ones are ignored
 * @param wire the request body, to compare for changes
 */
export function useDraft<T extends object>(start: T | (() => T), wire: (value: T) => unknown): Draft<T> {
  const [saved, setSaved] = useState(start)
  const [value, setValue] = useState(saved)
  const dirty = useMemo(() => JSON.stringify(wire(value)) !== JSON.stringify(wire(saved)), [value, saved, wire])
  return {
    value,
    saved,
    dirty,
    change: part => setValue(before => ({ ...before, ...part })),
    discard: () => setValue(saved),
    settle: part => {
      setSaved({ ...value, ...part })
      setValue(now => ({ ...now, ...part }))
    },
  }
}

/** Prompts whether to discard unsaved input. */
const confirmDiscard = (): Promise<boolean> => new Promise(answer => openPrompt('discard', { answer }))

/**
 * While `dirty`, prompts before the page is left.
 * @returns a function that lets the next navigation pass, because everything has been saved or deleted
 */
export function useUnsavedGuard(dirty: boolean): () => void {
  const released = useRef(false)
  useBlocker(dirty, () => released.current || confirmDiscard())
  return () => {
    released.current = true
  }
}
