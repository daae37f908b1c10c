import type { ReactNode } from 'react'
import { t } from '../../lib/i18n/index.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { PageFrame } from '../../ui/page-frame.tsx'
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
  const retry = () => void query.refetch()
  return (
    <PageFrame title={title} tools={tools} className={styles.page}>
      {query.data !== undefined && children}
      {query.data === undefined && query.error && <LoadFailure error={query.error} onRetry={retry} />}
      {query.data === undefined && !query.error && <Spinner label={t('common.loading')} onRetry={retry} />}
    </PageFrame>
  )
}
