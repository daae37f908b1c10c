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
        <Status status={data} isOwn={userId === undefined} />
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

/** One's own passkeys have a card of their own. */
function Status({ status, isOwn }: { status: FactorStatus; isOwn: boolean }) {
  const { totp, recoveryCodes, passkeys, due } = status
  if (!hasFactor(status)) {
    return (
      <div>
        <p className={styles.facts}>{t('factors.none')}</p>
        {due !== null && <p>{t('factors.due', { date: formatDate(Date.parse(due)) })}</p>}
      </div>
    )
  }
  return (
    <div>
      <p>{totp === null ? t('factors.noApp') : t('factors.since', { date: formatDate(Date.parse(totp)) })}</p>
      {!isOwn && passkeys.length > 0 && <p>{t('passkeys.count', { count: passkeys.length })}</p>}
      <p className={styles.facts} data-few={recoveryCodes < FEW || undefined}>
        {t('factors.codesLeft', { count: recoveryCodes })}
      </p>
    </div>
  )
}

const hasFactor = ({ totp, passkeys }: FactorStatus) => totp !== null || passkeys.length > 0

function Actions({ status, userId }: { status: FactorStatus; userId: number | undefined }) {
  const online = useOnline()
  const isOwn = userId === undefined
  const isOn = status.totp !== null
  return (
    <>
      {isOwn && !isOn && (
        <Button disabled={!online} onClick={() => openPrompt('factor', { task: 'setUp' })}>
          {t('factors.setUp')}
        </Button>
      )}
      {isOwn && hasFactor(status) && (
        <Button disabled={!online} onClick={() => openPrompt('factor', { task: 'codes' })}>
          {t('factors.newCodes')}
        </Button>
      )}
      {(isOn || (!isOwn && hasFactor(status))) && (
        <Button kind="danger" disabled={!online} onClick={() => openPrompt('factor', { task: 'remove', userId })}>
          {t('factors.turnOff')}
        </Button>
      )}
    </>
  )
}
