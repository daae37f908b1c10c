import { useMemo, useState } from 'react'

/** The values of a form until they are saved. */
export interface Draft<T> {
  value: T
  /** As they were saved last. */
  saved: T
  /** Whether saving would change anything. */
  dirty: boolean
  change(part: Partial<T>): void
  /** Back to what was saved last. */
  discard(): void
  /** What is there now has been saved. @param part what saving itself has changed */
  settle(part?: Partial<T>): void
}

/**
 * @param start the saved values, or what makes them; a later one is not looked at
 * @param wire what would be sent, to tell whether it differs
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
