import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { createStore, useStore } from '../lib/store.ts'
import styles from './overlay.module.css'

export interface OverlayProps {
  /** Dark in both themes, for images and videos. */
  dark?: boolean
  className?: string | undefined
  children: ReactNode
}

/** A full-page overlay; the page below stays mounted. Takes the focus on mount. */
export function Overlay({ dark, className, children }: OverlayProps) {
  const element = useRef<HTMLElement>(null)
  useCovered()
  // Before the first paint, as its keys: the page below must not get the next one.
  useLayoutEffect(() => element.current?.focus(), [])
  return createPortal(
    <main
      ref={element}
      className={[styles.layer, className].filter(Boolean).join(' ')}
      tabIndex={-1}
      data-dark={dark || undefined}
    >
      {children}
    </main>,
    document.body,
  )
}

const overlayCount = createStore(0)

/** Marks the page as covered while the component is mounted: what lies beneath is visible, but inert. */
function useCovered(): void {
  useLayoutEffect(() => {
    overlayCount.set(overlayCount.get() + 1)
    return () => overlayCount.set(overlayCount.get() - 1)
  }, [])
}

/** Whether an overlay covers the page; re-renders when that changes. */
export function useHasOverlay(): boolean {
  return useStore(overlayCount) > 0
}
