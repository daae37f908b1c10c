import { type ComponentType, type LazyExoticComponent, lazy } from 'react'
import { loadChunk } from './chunk.ts'
import { loadToolTexts } from './i18n/index.ts'

type LoadPart<P> = () => Promise<{ default: ComponentType<P> }>

/** `React.lazy` within the time limit of `loadChunk`. */
export function lazyPart<P>(load: LoadPart<P>): LazyExoticComponent<ComponentType<P>> {
  return lazy(() => loadChunk(load))
}

/** The same for a part that shows texts of `TOOL_AREAS`, which come along with it. */
export function lazyTool<P>(load: LoadPart<P>): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    const [part] = await Promise.all([loadChunk(load), loadToolTexts()])
    return part
  })
}
