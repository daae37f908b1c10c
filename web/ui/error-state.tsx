import type { ReactNode } from 'react'
import styles from './error-state.module.css'

export interface ErrorStateProps {
  /** One sentence: what happened. */
  text: string
  /** A status, or a second sentence. */
  detail?: string | undefined
  /** What the program itself says, in English, for a report. */
  cause?: string | undefined
  /** `1` on a page of its own. */
  level?: 1 | 2
  /** What can be done: buttons, links. */
  children?: ReactNode
}

/** Says that something could not be shown, and what to do. */
export function ErrorState({ text, detail, cause, level = 2, children }: ErrorStateProps) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <div className={styles.state} role="alert">
      <span className={styles.rule} aria-hidden="true" />
      <Heading className={styles.text}>{text}</Heading>
      {detail && <p className={styles.detail}>{detail}</p>}
      {cause && (
        <code className={styles.cause} lang="en" dir="ltr" translate="no">
          {cause}
        </code>
      )}
      {children && <div className={styles.actions}>{children}</div>}
    </div>
  )
}
