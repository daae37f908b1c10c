import { t } from '../../lib/i18n/index.ts'
import styles from './public-share.module.css'

/** Instead of a file whose view would count as a download. */
export default function NotShown() {
  return <p className={styles.empty}>{t('links.noView')}</p>
}
