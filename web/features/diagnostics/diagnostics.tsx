import { useState } from 'react'
import { SLOW_SECONDS } from '../../../shared/diagnostics/probe-timeouts.ts'
import { formatNumber } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { delaysQuery, diagnosticsQuery } from './api/diagnostics.ts'
import { Findings } from './findings.tsx'
import { HostSettings } from './host-settings.tsx'
import { ProvidersCard } from './providers-card.tsx'

/**
 * Diagnostics for administrators: the server's own findings, and whether proxies let everything through to this
 * browser.
 */
export default function DiagnosticsPage() {
  return (
    <>
      <Looks />
      <Waits />
      <ProvidersCard />
      <HostSettings />
    </>
  )
}

function Looks() {
  const { data, error, isFetching, refetch } = useQuery(diagnosticsQuery)
  if (isFetching) return <Spinner label={t('diagnostics.looking')} />
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  return (
    <>
      <Findings findings={data ?? []} />
      <div>
        <Button onClick={() => void refetch()}>{t('diagnostics.again')}</Button>
      </div>
    </>
  )
}

/** Runs only on request, since it takes so long. */
function Waits() {
  const [asked, setAsked] = useState(false)
  return asked ? (
    <WaitFindings />
  ) : (
    <div>
      <Button onClick={() => setAsked(true)}>
        {t('diagnostics.trySlow', { seconds: formatNumber(SLOW_SECONDS) })}
      </Button>
    </div>
  )
}

function WaitFindings() {
  const { data, isFetching } = useQuery(delaysQuery)
  if (isFetching || !data) return <Spinner label={t('diagnostics.looking')} />
  return <Findings findings={data} />
}
