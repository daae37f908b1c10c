import type { IntegrityReport } from '../../../shared/api/integrity.ts'
import { formatBytes, formatDate, formatFacts, formatNumber } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { reportQuery } from './api/integrity.ts'
import styles from './integrity.module.css'

/** How many files have known checksums, and when they were checked. */
export function ReportCard() {
  const { data, error, refetch } = useQuery(reportQuery)
  return (
    <Card title={t('integrity.checks')}>
      {data && <Report report={data} />}
      {!data && error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Spinner label={t('common.loading')} />}
    </Card>
  )
}

function Report({ report: { scrub, total, known, checked, last, next } }: { report: IntegrityReport }) {
  const of = (counted: { files: number; bytes: number }) =>
    formatFacts([formatNumber(counted.files), formatBytes(counted.bytes)])
  const facts = [
    [t('integrity.all'), total ? of(total) : '–'],
    [t('integrity.known'), of(known)],
    [t('integrity.checked'), of(checked)],
    [t('integrity.last'), last ? lastOf(last) : t('integrity.never')],
    [t('integrity.next'), next ? formatDate(next) : '–'],
  ]
  return (
    <>
      {scrub === 'off' && <p className={styles.hint}>{t('integrity.off')}</p>}
      <dl className={styles.facts}>
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function lastOf({ started, complete, read }: NonNullable<IntegrityReport['last']>): string {
  return formatFacts([formatDate(started), formatBytes(read.bytes), ...(complete ? [] : [t('integrity.incomplete')])])
}
