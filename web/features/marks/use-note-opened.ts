import { useEffect } from 'react'
import { noteOpened } from './api/marks.ts'

/** Notes that the user opened a file. A failure is not worth a message. */
export function useNoteOpened(path: string): void {
  useEffect(() => {
    noteOpened(path).catch(() => undefined)
  }, [path])
}
