import { useEffect } from 'react'
import { loadChunk } from '../../lib/chunk.ts'
import type * as LateParts from './late-parts.ts'

let parts: typeof LateParts | undefined

/** The rubber band and the motion of rows, once they are loaded: without them a grid only selects and scrolls. */
export const lateParts = (): typeof LateParts | undefined => parts

/** Loads them as soon as the rows are rendered; the next grid tries again where that has failed. */
export function useLateParts(): void {
  useEffect(() => {
    if (parts) return
    const load = async () => {
      parts = await loadChunk(() => import('./late-parts.ts'))
    }
    void load().catch(() => undefined)
  }, [])
}
