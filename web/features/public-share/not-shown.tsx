import { t } from '../../lib/i18n/index.ts'
import styles from './public-share.module.css'

/** Instead of a file whose view would count as a download, or that a link of previews does not send. */
export default function NotShown({ previewOnly }: { previewOnly: boolean }) {
  return <p className={styles.empty}>{t(previewOnly ? 'links.noPreview' : 'links.noView')}</p>
}
