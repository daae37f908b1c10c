import { useEffect, useRef } from 'react'
import type { SharedResource } from '../../../shared/api/shares.ts'
import { parentOf, parsePath } from '../../../shared/path.ts'
import { navigate, usePlace } from '../../lib/router.tsx'
import { type Link, linkAddress } from './link.ts'

/**
 * Closes the preview of a file in a shared folder: back to the list that opened it, where that is in the history.
 * @param shown what the page shows; none while it loads
 */
export function useCloseFile(link: Link, shown: SharedResource | undefined): () => void {
  const { arrival } = usePlace()
  const path = shown?.path
  const isFile = shown !== undefined && !('items' in shown)
  const before = useRef<{ isFile: boolean; opened: boolean }>(undefined)
  useEffect(() => {
    if (path === undefined) return
    const { isFile: wasFile, opened } = before.current ?? { isFile: true, opened: false }
    const stays = wasFile ? opened && arrival === 'replace' : arrival === 'push'
    before.current = { isFile, opened: isFile && stays }
  }, [path, isFile, arrival])
  return () => {
    if (before.current?.opened) history.back()
    else void navigate(linkAddress(link, parentOf(parsePath(path ?? ''))), { replace: true })
  }
}
