import type { HostSetting, SettingOrigin } from '../../../shared/api/doctor.ts'
import { type MessageKey, t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { Card } from '../../ui/card.tsx'
import { Lock } from '../../ui/icons.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { hostSettingsQuery } from './api/doctor.ts'
import styles from './doctor.module.css'

const ORIGINS = {
  flag: 'doctor.fromFlag',
  variable: 'doctor.fromVariable',
  file: 'doctor.fromFile',
  database: 'doctor.fromDatabase',
  default: 'doctor.fromDefault',
} as const satisfies Record<SettingOrigin, MessageKey>

/** Whoever may not open the host's files or command line cannot change it. */
const LOCKED: readonly SettingOrigin[] = ['flag', 'variable', 'file']

/** With what the host started this server, and where each setting was written. */
export function HostSettings() {
  const { data, error, refetch } = useQuery(hostSettingsQuery)
  return (
    <Card title={t('doctor.settings')} text={t('doctor.settingsText')}>
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Spinner label={t('common.loading')} />}
      {data && (
        <dl className={styles.settings}>
          {data.map(setting => (
            <Row key={setting.name} setting={setting} />
          ))}
        </dl>
      )}
    </Card>
  )
}

function Row({ setting: { name, text, from, where } }: { setting: HostSetting }) {
  return (
    <div className={styles.setting}>
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.value}>
        {text === undefined ? t('doctor.notShown') : <bdi>{text || '–'}</bdi>}
        <span className={styles.from}>
          {LOCKED.includes(from) && <Lock size={14} aria-hidden />}
          {t(ORIGINS[from])}
          {where !== undefined && <bdi className={styles.where}>{where}</bdi>}
        </span>
      </dd>
    </div>
  )
}
