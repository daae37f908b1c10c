import { useEffect, useState } from 'react'
import { loadChunk } from '../../lib/chunk.ts'
import type { Engine } from './rules.ts'

/** The server's regular expression engine, loaded for the first expression. `undefined` until then. */
export function useEngine(needed: boolean): Engine | undefined {
  const [engine, setEngine] = useState<Engine>()
  useEffect(() => {
    if (!needed || engine) return
    let gone = false
    // Without it expressions are not checked here; the server still refuses invalid ones.
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
