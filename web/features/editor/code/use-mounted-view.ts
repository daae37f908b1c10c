import type { EditorView } from '@codemirror/view'
import { type RefObject, useEffect, useEffectEvent } from 'react'

/** Keeps an editor in an element while both are mounted. @param create makes it; called once */
export function useMountedView(
  host: RefObject<HTMLElement | null>,
  view: RefObject<EditorView | null>,
  create: (parent: HTMLElement) => EditorView,
): void {
  const mount = useEffectEvent(create)
  useEffect(() => {
    if (!host.current) return
    const mounted = mount(host.current)
    view.current = mounted
    return () => {
      view.current = null
      mounted.destroy()
    }
  }, [host, view])
}
