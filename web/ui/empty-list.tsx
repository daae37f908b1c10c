import type { ReactNode } from 'react'
import styles from './empty-list.module.css'

interface EmptyListProps {
  icon?: ReactNode
  title?: string
  text?: string
  children?: ReactNode
}

/** What a page says in place of a list that has no items. */
export function EmptyList({ icon, title, text, children }: EmptyListProps) {
  return (
    <div className={styles.empty}>
      {icon && <span className={styles.icon}>{icon}</span>}
      {title !== undefined && <p className={styles.title}>{title}</p>}
      {text !== undefined && <p>{text}</p>}
      {children}
    </div>
  )
}
