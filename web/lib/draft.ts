import { useMemo, useState } from 'react'

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
