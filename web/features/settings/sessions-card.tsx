import { useId, useState } from 'react'
import type { SessionInfo } from '../../../shared/api/auth.ts'
import { deviceName } from '../../../shared/device-name.ts'
import { errorText } from '../../lib/error-text.ts'
import { formatDate, formatRelative } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useQuery } from '../../lib/query.ts'
import { endSession, whileLeaving } from '../../lib/session.ts'
import { useStore } from '../../lib/store.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { isPlanned, jobsStore } from '../files/api/jobs.ts'
import { endAllSessions, endOneSession, sessionsQuery } from './api/sessions.ts'
import styles from './sessions.module.css'

/** The user's sessions, with a way to end them. */
export function SessionsCard() {
  const { data, error, refetch } = useQuery(sessionsQuery)
  const { busy, act } = useOperation()
  const planned = useStore(jobsStore).filter(isPlanned).length
  const [withPlanned, setWithPlanned] = useState(false)
  const everywhere = async () => {
    await whileLeaving(() => endAllSessions(planned > 0 && withPlanned))
    endSession('logout')
  }
  return (
    <Card
      title={t('settings.sessions')}
      footer={
        <>
          {planned > 0 && (
            <Checkbox
              label={t('settings.cancelPlanned', { count: planned })}
              checked={withPlanned}
              onChange={setWithPlanned}
            />
          )}
          <Button kind="danger" busy={busy} onClick={() => void act(everywhere)}>
            {t('settings.logoutEverywhere')}
          </Button>
        </>
      }
    >
      {data ? (
        <ul className={styles.list}>
          {data.map(session => (
            <Session key={session.id} session={session} />
          ))}
        </ul>
      ) : error ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
      )}
    </Card>
  )
}

const proofsOf = (factors: SessionInfo['factors']) => factors.map(factor => t(`settings.proof.${factor}`)).join(' + ')

function Session({ session }: { session: SessionInfo }) {
  const { id, current, seen, address, agent, factors } = session
  const { busy, act } = useOperation()
  const label = useId()
  const when = Date.parse(seen)
  return (
    <li className={styles.session}>
      <div id={label}>
        <bdi title={agent}>{deviceName(agent) || address}</bdi>
        <p className={styles.facts}>
          {current ? (
            t('settings.browser')
          ) : (
            <time dateTime={seen} title={formatDate(when)}>
              {formatRelative(when)}
            </time>
          )}
          {' · '}
          <bdi>{address}</bdi>
        </p>
        {factors.length > 0 && <p className={styles.facts}>{proofsOf(factors)}</p>}
      </div>
      {!current && (
        <Button busy={busy} aria-describedby={label} onClick={() => void act(() => endOneSession(id))}>
          {t('nav.logout')}
        </Button>
      )}
    </li>
  )
}

/** Runs one operation at a time and reports its failure. */
function useOperation() {
  const [busy, setBusy] = useState(false)
  const act = async (operation: () => Promise<void>) => {
    if (busy) return
    setBusy(true)
    await operation().catch((error: unknown) => notify('error', errorText(error)))
    setBusy(false)
  }
  return { busy, act }
}
