import { type ReactNode, useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useCover } from '../lib/overlay-count.ts'
import styles from './overlay.module.css'

export interface LayerProps {
  /** Dark in both sets of colours, for pictures and films. */
  dark?: boolean
  className?: string | undefined
  children: ReactNode
}

/** A whole page above the page, which stays as it is beneath. Takes the focus when it comes. */
export function Layer({ dark, className, children }: LayerProps) {
  const element = useRef<HTMLElement>(null)
  useCover()
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
