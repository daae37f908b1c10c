import { useId, useState } from 'react'
import type { KnownDevice } from '../../../../shared/api/factors.ts'
import { deviceName } from '../../../../shared/device-name.ts'
import { errorText } from '../../../lib/error-text.ts'
import { formatDate } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { useOnline } from '../../../lib/online.ts'
import { useQuery } from '../../../lib/query.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { factorsQuery, forgetDevice } from '../api/factors.ts'
import styles from './factors.module.css'

/** Browsers in which the caller signs in without the second factor; nothing without any. */
export default function DevicesCard() {
  const { data } = useQuery(factorsQuery())
  if (!data || data.devices.length === 0) return null
  return (
    <Card title={t('devices.title')} text={t('devices.text')}>
      <ul className={styles.list}>
        {data.devices.map(device => (
          <Device key={device.id} device={device} />
        ))}
      </ul>
    </Card>
  )
}

function Device({ device: { id, agent, address, expires } }: { device: KnownDevice }) {
  const name = useId()
  const online = useOnline()
  const [busy, setBusy] = useState(false)
  const forget = async () => {
    setBusy(true)
    await forgetDevice(id).catch((error: unknown) => notify('error', errorText(error)))
    setBusy(false)
  }
  return (
    <li className={styles.item}>
      <div>
        <bdi id={name} title={agent}>
          {deviceName(agent) || address}
        </bdi>
        <p className={styles.facts}>
          {t('devices.until', { date: formatDate(Date.parse(expires)) })} · <bdi>{address}</bdi>
        </p>
      </div>
      <Button aria-describedby={name} busy={busy} disabled={!online} onClick={() => void forget()}>
        {t('devices.forget')}
      </Button>
    </li>
  )
}
