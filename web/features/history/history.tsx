import { useEffect, useRef } from 'react'
import type { FilePath } from '../../../shared/path.ts'
import { t } from '../../lib/i18n/index.ts'
import { FilteredChanges } from './changes.tsx'
import styles from './history.module.css'

/** The page of all changes. @param from the folder that the visitor came from, offered as a filter */
export default function HistoryPage({ from }: { from: FilePath }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={styles.page}>
      <h1 ref={heading} className={styles.title} tabIndex={-1}>
        {t('nav.history')}
      </h1>
      <FilteredChanges from={from} level={2} />
    </div>
  )
}
