import type { ReactNode } from 'react'
import type { Change } from '../../../../shared/api/changes.ts'
import { byDay } from '../items/by-day.ts'
import styles from './changes.module.css'

export interface ChangeListProps {
  /** Newest first. */
  items: readonly Change[]
  /** The line of a change: a `ChangeLine`. */
  renderLine: (change: Change) => ReactNode
  /** Level of the headings of days. */
  level?: 2 | 3 | 4
}

/** Changes under headings of the days on which they were made. */
export function ChangeList({ items, renderLine, level = 2 }: ChangeListProps) {
  const Heading = `h${level}` as const
  return byDay(items, ({ time }) => time).map(([day, changes]) => (
    <section key={day} aria-label={day}>
      <Heading className={styles.day}>{day}</Heading>
      <ul className={styles.list}>{changes.map(change => renderLine(change))}</ul>
    </section>
  ))
}
