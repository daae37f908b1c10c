import { useCallback, useEffect, useRef } from 'react'
import { type FilePath, nameOf, parentOf } from '../../shared/path.ts'
import { requestFocus } from '../features/files/items/focus-request.ts'
import { filesUrl, navigate, usePlace } from '../lib/router.tsx'

/**
 * Closes an overlay over a listing: back to where it was opened if that is in the history, else to the folder. The row
 * of the last viewed item gets the focus. @returns the close function
 */
export function useCloseViewer(path: FilePath, isListing: boolean): () => void {
  const { arrival } = usePlace()
  const folder = isListing ? path : parentOf(path)
  const under = useRef<{ folder: FilePath; file: FilePath | undefined; opened: boolean }>(undefined)
  useEffect(() => {
    const before = under.current
    const same = before?.folder === folder
    if (isListing) {
      if (same && before.file !== undefined) requestFocus(folder, nameOf(before.file), false)
      under.current = { folder, file: undefined, opened: false }
    } else {
      const fromListing = same && before.file === undefined && arrival === 'push'
      under.current = { folder, file: path, opened: fromListing || (same && before.opened && arrival === 'replace') }
    }
  }, [folder, path, isListing, arrival])
  return useCallback(() => {
    if (under.current?.opened) history.back()
    else void navigate(filesUrl(folder, true), { replace: true })
  }, [folder])
}
