import { type ComponentType, createElement, type FunctionComponent, lazy } from 'react'
import { loadChunk } from './chunk.ts'
import { loadToolTexts } from './i18n/index.ts'

type LoadPart<P> = () => Promise<{ default: ComponentType<P> }>

const failed = new Set<() => void>()

/**
 * Resets failed lazy components, so that they load again when rendered; called by the error display that offers a
 * retry.
 */
export function resetFailedParts(): void {
  for (const forget of failed) forget()
  failed.clear()
}

/** `React.lazy` with the time limit of `loadChunk` and failures that can be retried. */
export function lazyPart<P extends object>(load: LoadPart<P>): FunctionComponent<P> {
  return retryable(() => loadChunk(load))
}

/** The same for a part with texts of tools, which are loaded along with it. */
export function lazyTool<P extends object>(load: LoadPart<P>): FunctionComponent<P> {
  return retryable(async () => {
    const [part] = await Promise.all([loadChunk(load), loadToolTexts()])
    return part
  })
}

function retryable<P extends object>(load: LoadPart<P>): FunctionComponent<P> {
  const fresh = () =>
    lazy(() =>
      load().catch((error: unknown) => {
        failed.add(() => {
          part = fresh()
        })
        throw error
      }),
    )
  let part = fresh()
  return props => createElement(part, props)
}
