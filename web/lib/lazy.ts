import { type ComponentType, createElement, type FunctionComponent, lazy } from 'react'
import { loadChunk } from './chunk.ts'
import { loadToolTexts } from './i18n/index.ts'

type LoadPart<P> = () => Promise<{ default: ComponentType<P> }>

const failed = new Set<() => void>()

/** Has parts that did not arrive fetched anew when they are shown again; called by whoever tells that they are missing. */
export function forgetFailedParts(): void {
  for (const forget of failed) forget()
  failed.clear()
}

/** `React.lazy` within the time limit of `loadChunk`, whose failures need not last. */
export function lazyPart<P extends object>(load: LoadPart<P>): FunctionComponent<P> {
  return lasting(() => loadChunk(load))
}

/** The same for a part that shows texts of `TOOL_AREAS`, which come along with it. */
export function lazyTool<P extends object>(load: LoadPart<P>): FunctionComponent<P> {
  return lasting(async () => {
    const [part] = await Promise.all([loadChunk(load), loadToolTexts()])
    return part
  })
}

function lasting<P extends object>(load: LoadPart<P>): FunctionComponent<P> {
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
