import type { MouseEvent, ReactNode } from 'react'
import { href } from '../../lib/router.tsx'
import styles from './row-link.module.css'

interface RowLinkProps {
  /** The address without the base URL; without one the name is no link. */
  to: string | undefined
  className: string | undefined
  title?: string | undefined
  children: ReactNode
}

/**
 * The name of a row. As a link it can be opened in a new tab, copied and dragged out by the browser's own means; the
 * grid handles clicks, drags and keys as everywhere else in the row.
 */
export function RowLink({ to, className, title, children }: RowLinkProps) {
  if (to === undefined) {
    return (
      <bdi className={className} title={title}>
        {children}
      </bdi>
    )
  }
  return (
    <a
      href={href(to)}
      // Isolates like `bdi`.
      dir="auto"
      className={`${styles.link} ${className}`}
      title={title}
      // A name in two parts would be read with a space between them.
      aria-label={title}
      data-row-link
      translate="no"
      tabIndex={-1}
      onClick={leaveToGrid}
    >
      {children}
    </a>
  )
}

const leaveToGrid = (event: MouseEvent) => event.preventDefault()
