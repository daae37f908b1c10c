import { useEffect } from 'react'
import { noteOpened } from './api/marks.ts'

/** Notes that the user opened a file, if any. A failure is not worth a message. */
export function useNoteOpened(path: string | undefined): void {
  useEffect(() => {
    if (path !== undefined) noteOpened(path).catch(() => undefined)
  }, [path])
}
