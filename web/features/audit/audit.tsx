import { useDeferredValue, useState } from 'react'
import type { AuditPage as Page } from '../../../shared/api/audit.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useQuery } from '../../lib/query.ts'
import buttons from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { Download } from '../../ui/icons.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { type AuditQuery, auditQuery, EVERYTHING, exportUrl, fetchOlder } from './api/audit.ts'
import styles from './audit.module.css'
import { AuditFilter } from './filter.tsx'
import { AuditRows } from './rows.tsx'

/** The audit log, for administrators. */
export default function AuditLogPage() {
  const [options, setOptions] = useState(EVERYTHING)
  const settled = useDeferredValue(options)
  return (
    <>
      <AuditFilter options={options} onChange={setOptions} />
      <Log key={JSON.stringify(settled)} options={settled} />
    </>
  )
}

function Log({ options }: { options: AuditQuery }) {
  const { data, error, refetch } = useQuery(auditQuery(options))
  if (data) return <Rows options={options} first={data} />
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  return <Spinner label={t('common.loading')} />
}

function Rows({ options, first }: { options: AuditQuery; first: Page }) {
  const [older, setOlder] = useState<readonly Page[]>([])
  const [busy, setBusy] = useState(false)
  const pages = [first, ...older]
  const rows = pages.flatMap(page => page.rows)
  const last = rows.at(-1)
  const more = async () => {
    if (!last) return
    setBusy(true)
    try {
      const page = await fetchOlder(options, last)
      setOlder(known => [...known, page])
    } catch (error) {
      notify('error', errorText(error))
    } finally {
      setBusy(false)
    }
  }
  if (rows.length === 0) return <p className={styles.none}>{t('audit.noneFound')}</p>
  return (
    <>
      <AuditRows rows={rows} />
      <div className={styles.buttons}>
        {pages.at(-1)?.more && (
          <Button busy={busy} onClick={() => void more()}>
            {t('uploads.expand')}
          </Button>
        )}
        <a className={`${buttons.button} ${buttons.plain}`} href={exportUrl(options)} download>
          <Download size={18} aria-hidden />
          {t('audit.export')}
        </a>
      </div>
    </>
  )
}
