import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { WifiOff } from '../../ui/icons.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './marks.module.css'

interface MarksPageProps {
  title: string
  /** Next to the title. */
  tools?: ReactNode
  query: { data: unknown; error: Error | null; refetch: () => unknown }
  children: ReactNode
}

/** The frame of a list of marked items. */
export function MarksPage({ title, tools, query, children }: MarksPageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const online = useOnline()
  useEffect(() => heading.current?.focus(), [])
  const retry = () => void query.refetch()
  return (
    <div className={styles.page}>
      {!online && (
        <p className={styles.offline} role="status">
          <WifiOff size={16} aria-hidden />
          {t('files.offline')}
        </p>
      )}
      <header className={styles.head}>
        <h1 ref={heading} className={styles.title} tabIndex={-1}>
          {title}
        </h1>
        {tools}
      </header>
      {query.data !== undefined && children}
      {query.data === undefined && query.error && <LoadFailure error={query.error} onRetry={retry} />}
      {query.data === undefined && !query.error && <Spinner label={t('common.loading')} onRetry={retry} />}
    </div>
  )
}

/** What an empty list says. */
export function Nothing({ icon, title, text }: { icon: ReactNode; title: string; text: string }) {
  return (
    <div className={styles.empty}>
      <span className={styles.emptyIcon}>{icon}</span>
      <p className={styles.emptyTitle}>{title}</p>
      <p>{text}</p>
    </div>
  )
}
