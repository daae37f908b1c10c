import type { ReactNode } from 'react'
import styles from './error-state.module.css'

export interface ErrorStateProps {
  /** One sentence: what happened. */
  text: string
  /** Detail for a report: a status, an error's message. */
  detail?: string | undefined
  /** `1` on a page of its own. */
  level?: 1 | 2
  /** What can be done: buttons, links. */
  children?: ReactNode
}

/** Says that something could not be shown, and what to do. */
export function ErrorState({ text, detail, level = 2, children }: ErrorStateProps) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <div className={styles.state} role="alert">
      <span className={styles.rule} aria-hidden="true" />
      <Heading className={styles.text}>{text}</Heading>
      {detail && <p className={styles.detail}>{detail}</p>}
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  )
}
