import { type ReactNode, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useOverlay } from '../lib/overlay-count.ts'
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
  useOverlay()
  useEffect(() => element.current?.focus(), [])
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
