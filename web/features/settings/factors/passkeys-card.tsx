import { useId } from 'react'
import type { PasskeyInfo } from '../../../../shared/api/passkeys.ts'
import { formatDate, formatRelative } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useOnline } from '../../../lib/online.ts'
import { passkeysWork } from '../../../lib/passkeys.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Plus } from '../../../ui/icons.ts'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import { factorsQuery } from '../api/factors.ts'
import styles from './factors.module.css'

/** The passkeys of the caller. */
export default function PasskeysCard() {
  const { data, error, refetch } = useQuery(factorsQuery())
  const online = useOnline()
  const add = passkeysWork() && (
    <Button
      icon={<Plus size={18} aria-hidden />}
      disabled={!online}
      onClick={() => openPrompt('factor', { task: 'addPasskey' })}
    >
      {t('passkeys.add')}
    </Button>
  )
  return (
    <Card title={t('passkeys.title')} text={t('passkeys.text')} footer={add || undefined}>
      {data ? (
        <Passkeys passkeys={data.passkeys} />
      ) : error ? (
        <LoadFailure error={error} onRetry={() => void refetch()} />
      ) : (
        <Spinner label={t('common.loading')} onRetry={() => void refetch()} />
      )}
      {!passkeysWork() && <p className={styles.facts}>{t('passkeys.unsupported')}</p>}
    </Card>
  )
}

function Passkeys({ passkeys }: { passkeys: readonly PasskeyInfo[] }) {
  if (passkeys.length === 0) return <p className={styles.facts}>{t('passkeys.none')}</p>
  return (
    <ul className={styles.list}>
      {passkeys.map(passkey => (
        <Passkey key={passkey.id} passkey={passkey} />
      ))}
    </ul>
  )
}

function Passkey({ passkey }: { passkey: PasskeyInfo }) {
  const { label, site, used, copied } = passkey
  const name = useId()
  const online = useOnline()
  return (
    <li className={styles.item}>
      <div>
        <bdi id={name}>{label}</bdi>
        <p className={styles.facts}>{used === null ? t('passkeys.unused') : <Use time={used} />}</p>
        {site !== location.hostname && <p className={styles.facts}>{t('passkeys.site', { site })}</p>}
        {copied && (
          <p className={styles.facts} data-few>
            {t('passkeys.copied')}
          </p>
        )}
      </div>
      <div className={styles.actions}>
        <Button
          aria-describedby={name}
          disabled={!online}
          onClick={() => openPrompt('factor', { task: 'renamePasskey', passkey })}
        >
          {t('passkeys.rename')}
        </Button>
        <Button
          aria-describedby={name}
          disabled={!online}
          onClick={() => openPrompt('factor', { task: 'removePasskey', passkey })}
        >
          {t('passkeys.remove')}
        </Button>
      </div>
    </li>
  )
}

function Use({ time }: { time: string }) {
  const when = Date.parse(time)
  return (
    <time dateTime={time} title={formatDate(when)}>
      {t('passkeys.used', { when: formatRelative(when) })}
    </time>
  )
}
