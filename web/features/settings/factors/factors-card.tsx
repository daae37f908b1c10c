import type { FactorStatus } from '../../../../shared/api/factors.ts'
import { formatDate } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useOnline } from '../../../lib/online.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { factorsQuery } from '../api/factors.ts'
import styles from './factors.module.css'

export interface FactorsCardProps {
  /** For administrators: the user whose factors are shown; the caller by default, who can set them up. */
  userId?: number
}

/** The second factor of a user, and its recovery codes. */
export default function FactorsCard({ userId }: FactorsCardProps) {
  const { data, error, refetch } = useQuery(factorsQuery(userId))
  return (
    <Card
      title={t('factors.title')}
      {...(userId === undefined && { text: t('factors.text') })}
      footer={data && <Actions status={data} userId={userId} />}
    >
      {data ? (
        <Status status={data} />
      ) : error ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
      )}
    </Card>
  )
}

/** Fewer recovery codes than this are worth a look. */
const FEW = 3

function Status({ status: { totp, recoveryCodes } }: { status: FactorStatus }) {
  if (totp === null) return <p className={styles.facts}>{t('factors.none')}</p>
  return (
    <div>
      <p>{t('factors.since', { date: formatDate(Date.parse(totp)) })}</p>
      <p className={styles.facts} data-few={recoveryCodes < FEW || undefined}>
        {t('factors.codesLeft', { count: recoveryCodes })}
      </p>
    </div>
  )
}

function Actions({ status, userId }: { status: FactorStatus; userId: number | undefined }) {
  const online = useOnline()
  const open = (task: 'setUp' | 'codes' | 'remove') => openPrompt('factor', { task, userId })
  const isOn = status.totp !== null
  if (!isOn) {
    return userId === undefined ? (
      <Button disabled={!online} onClick={() => open('setUp')}>
        {t('factors.setUp')}
      </Button>
    ) : null
  }
  return (
    <>
      {userId === undefined && (
        <Button disabled={!online} onClick={() => open('codes')}>
          {t('factors.newCodes')}
        </Button>
      )}
      <Button kind="danger" disabled={!online} onClick={() => open('remove')}>
        {t('factors.turnOff')}
      </Button>
    </>
  )
}
