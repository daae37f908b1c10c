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
import styles from './diagnostics.module.css'
import { aboutSetting, REASONS, shownText } from './host-texts.ts'

const ORIGINS = {
  flag: 'diagnostics.fromFlag',
  variable: 'diagnostics.fromVariable',
  file: 'diagnostics.fromFile',
  database: 'diagnostics.fromDatabase',
  default: 'diagnostics.fromDefault',
} as const satisfies Record<SettingOrigin, MessageKey>

/** The settings this server started with, where each is set, and those that can be changed here. */
export function HostSettings() {
  const { data, error, refetch } = useQuery(hostSettingsQuery)
  return (
    <Card title={t('diagnostics.settings')} text={t('diagnostics.settingsText')}>
      {error && <LoadFailure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Spinner label={t('common.loading')} />}
      {data && (
        <>
          <CardGroup title={t('diagnostics.changeable')} text={t('diagnostics.changeableText')}>
            <Settings settings={data.filter(({ host }) => host === undefined)} />
          </CardGroup>
          <CardGroup title={t('diagnostics.onlyHost')}>
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
        {text === undefined ? t('diagnostics.notShown') : <bdi>{shownText(setting, text)}</bdi>}
        <span className={styles.from}>
          {isSaidOnHost(setting) && <Lock size={14} aria-hidden />}
          {t(ORIGINS[from])}
          {where !== undefined && <bdi className={styles.where}>{where}</bdi>}
        </span>
        <Later setting={setting} />
      </dd>
      {setting.host === undefined && !isSaidOnHost(setting) && (
        <dd>
          <Button
            aria-label={t('diagnostics.changeNamed', { name })}
            onClick={() => openPrompt('hostSetting', { setting })}
          >
            {t('diagnostics.change')}
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
  return <span className={styles.later}>{t('diagnostics.nextStart', { value: shownText(setting, next) })}</span>
}
