import { useId } from 'react'
import {
  HOST_REASONS,
  type HostReason,
  type HostSetting,
  isSaidOnHost,
  type SettingOrigin,
} from '../../../shared/api/diagnostics.ts'
import { type MessageKey, t } from '../../lib/i18n/index.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { useQuery } from '../../lib/query.ts'
import { Button } from '../../ui/button.tsx'
import { Card, CardGroup } from '../../ui/card.tsx'
import { Lock } from '../../ui/icons.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { hostSettingsQuery } from './api/host-settings.ts'
import styles from './doctor.module.css'
import { aboutSetting, REASONS, shownText } from './host-texts.ts'

const ORIGINS = {
  flag: 'doctor.fromFlag',
  variable: 'doctor.fromVariable',
  file: 'doctor.fromFile',
  database: 'doctor.fromDatabase',
  default: 'doctor.fromDefault',
} as const satisfies Record<SettingOrigin, MessageKey>

/** The settings this server started with, where each is set, and those that can be changed here. */
export function HostSettings() {
  const { data, error, refetch } = useQuery(hostSettingsQuery)
  return (
    <Card title={t('doctor.settings')} text={t('doctor.settingsText')}>
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Spinner label={t('common.loading')} />}
      {data && (
        <>
          <CardGroup title={t('doctor.changeable')} text={t('doctor.changeableText')}>
            <Settings settings={data.filter(({ host }) => host === undefined)} />
          </CardGroup>
          <CardGroup title={t('doctor.onlyHost')}>
            {HOST_REASONS.map(reason => (
              <Reason key={reason} reason={reason} settings={data.filter(({ host }) => host === reason)} />
            ))}
          </CardGroup>
        </>
      )}
    </Card>
  )
}

function Reason({ reason, settings }: { reason: HostReason; settings: readonly HostSetting[] }) {
  const id = useId()
  if (settings.length === 0) return null
  return (
    <div>
      <p id={id} className={styles.reason}>
        {t(REASONS[reason])}
      </p>
      <Settings settings={settings} labelledBy={id} />
    </div>
  )
}

function Settings({ settings, labelledBy }: { settings: readonly HostSetting[]; labelledBy?: string }) {
  return (
    <dl className={styles.settings} aria-labelledby={labelledBy}>
      {settings.map(setting => (
        <Row key={setting.name} setting={setting} />
      ))}
    </dl>
  )
}

function Row({ setting }: { setting: HostSetting }) {
  const { name, text, from, where } = setting
  const about = aboutSetting(setting)
  return (
    <div className={styles.setting}>
      <dt>
        <bdi className={styles.name}>{name}</bdi>
        {about !== '' && <span className={styles.about}>{about}</span>}
      </dt>
      <dd className={styles.value}>
        {text === undefined ? t('doctor.notShown') : <bdi>{shownText(setting, text)}</bdi>}
        <span className={styles.from}>
          {isSaidOnHost(setting) && <Lock size={14} aria-hidden />}
          {t(ORIGINS[from])}
          {where !== undefined && <bdi className={styles.where}>{where}</bdi>}
        </span>
        <Later setting={setting} />
      </dd>
      {setting.host === undefined && !isSaidOnHost(setting) && (
        <dd>
          <Button aria-label={t('doctor.changeNamed', { name })} onClick={() => openPrompt('hostSetting', { setting })}>
            {t('doctor.change')}
          </Button>
        </dd>
      )}
    </div>
  )
}

/** The value from the next start, if different. */
function Later({ setting }: { setting: HostSetting }) {
  const { text, default: fallback, kept, host } = setting
  const next = kept ?? fallback
  if (host || isSaidOnHost(setting) || next === undefined || next === text) return null
  return <span className={styles.later}>{t('doctor.nextStart', { value: shownText(setting, next) })}</span>
}
