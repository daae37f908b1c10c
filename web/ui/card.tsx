import { type ReactNode, useId } from 'react'
import styles from './card.module.css'

export interface CardProps {
  title: string
  /** A sentence below the title. */
  text?: string
  /** Buttons at the end. */
  footer?: ReactNode
  children: ReactNode
}

/** A section of a page with a heading of the second level. */
export function Card({ title, text, footer, children }: CardProps) {
  const id = useId()
  return (
    <section className={styles.card} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      <div className={styles.body}>{children}</div>
      {footer && <div className={styles.footer}>{footer}</div>}
    </section>
  )
}

/** A group of fields in a card, under a heading of the third level. */
export function CardGroup({ title, text, children }: Omit<CardProps, 'footer'>) {
  const id = useId()
  return (
    <fieldset className={styles.group} aria-labelledby={id}>
      <h3 id={id} className={styles.groupTitle}>
        {title}
      </h3>
      {text && <p className={styles.text}>{text}</p>}
      {children}
    </fieldset>
  )
}
