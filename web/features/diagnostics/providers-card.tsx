import { useEffect, useState } from 'react'
import type { ProviderStatus } from '../../../shared/api/providers.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatNumber, formatRelative } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useOnline } from '../../lib/online.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { useQuery } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { compareAccounts, providersQuery } from './api/providers.ts'
import { keptTrial } from './api/trials.ts'
import styles from './diagnostics.module.css'

/** The OpenID providers and directories of the host, which can be tried; nothing where it names none. */
export function ProvidersCard() {
  useEffect(() => void showTrial(), [])
  const { data, error, refetch } = useQuery(providersQuery)
  if (error) return <LoadFailure error={error} onRetry={() => void refetch()} />
  if (!data || data.length === 0) return null
  return (
    <Card title={t('diagnostics.providers')}>
      <ul className={styles.providers}>
        {data.map(status => (
          <Provider key={`${status.kind} ${status.slug}`} status={status} />
        ))}
      </ul>
    </Card>
  )
}

function Provider({ status }: { status: ProviderStatus }) {
  const { kind, slug, label, reason, redirect, compared } = status
  return (
    <li className={styles.provider}>
      <div>
        <p>
          <bdi>{label}</bdi> <span className={styles.reason}>{kind === 'oidc' ? 'OpenID Connect' : 'LDAP'}</span>
        </p>
        <p className={styles.about}>{answerText(status)}</p>
        {reason !== undefined && <bdi className={styles.where}>{reason}</bdi>}
        {redirect !== undefined && (
          <p className={styles.about}>{t('diagnostics.redirectAddress', { address: redirect })}</p>
        )}
        {compared !== undefined && <p className={styles.about}>{comparisonText(label, compared)}</p>}
      </div>
      <div className={styles.acts}>
        <Button
          aria-label={t('diagnostics.trialNamed', { what: label })}
          onClick={() => openPrompt('signInTrial', { status })}
        >
          {t('diagnostics.trial')}
        </Button>
        {kind === 'ldap' && <CompareButton slug={slug} />}
      </div>
    </li>
  )
}

/** Shows the trial with which the browser came back from a provider; the address of this page then loses it. */
async function showTrial(): Promise<void> {
  const id = new URLSearchParams(location.search).get('trial')
  if (id === null) return
  history.replaceState(history.state, '', location.pathname)
  try {
    openPrompt('signInTrialResult', { trial: await keptTrial(id) })
  } catch (error) {
    notify('error', errorText(error))
  }
}

function CompareButton({ slug }: { slug: string }) {
  const [busy, setBusy] = useState(false)
  const online = useOnline()
  const run = async () => {
    if (busy) return
    setBusy(true)
    try {
      const { state } = await compareAccounts(slug)
      if (state === 'good') notify('success', t('diagnostics.compareDone'))
    } catch (error) {
      notify('error', errorText(error))
    }
    setBusy(false)
  }
  return (
    <Button busy={busy} disabled={!online} onClick={() => void run()}>
      {t('diagnostics.compareNow')}
    </Button>
  )
}

function answerText({ kind, label: what, answers }: ProviderStatus): string {
  if (kind === 'oidc') return t(answers ? 'diagnostics.providerUp' : 'diagnostics.providerAway', { what })
  return t(answers ? 'diagnostics.directoryUp' : 'diagnostics.directoryAway', { what })
}

function comparisonText(what: string, compared: NonNullable<ProviderStatus['compared']> | null): string {
  if (compared === null) return t('diagnostics.neverCompared')
  const when = formatRelative(Date.parse(compared.at))
  if (compared.state === 'failed') return t('diagnostics.compareFailed', { when, reason: compared.reason ?? '' })
  if (compared.state === 'doubtful') return t('diagnostics.directoryDoubtful', { what })
  return t('diagnostics.compared', { when, count: formatNumber(compared.open) })
}
