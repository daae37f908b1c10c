import type { ReactNode } from 'react'
import styles from './error-state.module.css'

export interface ErrorStateProps {
  /** One sentence: what happened. */
  text: string
  /** A status, or a second sentence. */
  detail?: string | undefined
  /** The error's own English text, for a bug report. */
  cause?: string | undefined
  /** `1` on a page of its own. */
  level?: 1 | 2
  /** Actions: buttons, links. */
  children?: ReactNode
}

/** An error display with its actions. */
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
