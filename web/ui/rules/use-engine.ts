import { useEffect, useState } from 'react'
import { loadChunk } from '../../lib/chunk.ts'
import type { Engine } from './rules.ts'

/** The server's own engine for expressions, fetched when somebody writes one. `undefined` until it is there. */
export function useEngine(needed: boolean): Engine | undefined {
  const [engine, setEngine] = useState<Engine>()
  useEffect(() => {
    if (!needed || engine) return
    let gone = false
    // Without it nothing is said of expressions; the server still refuses those that are none.
    loadChunk(() => import('re2js')).then(
      ({ RE2JS }) => !gone && setEngine(() => RE2JS),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [needed, engine])
  return engine
}
