import { t } from '../lib/i18n/index.ts'
import { useOnline } from '../lib/online.ts'
import { WifiOff } from './late-icons.ts'
import styles from './offline-bar.module.css'

/** Shown above a list that can't be refreshed. */
export function OfflineBar() {
  return (
    <p className={styles.offline} role="status">
      <WifiOff size={16} aria-hidden />
      {t('files.offline')}
    </p>
  )
}

/** The same, only while there is no connection. */
export const OfflineNotice = () => (useOnline() ? null : <OfflineBar />)
