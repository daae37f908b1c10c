import type { ShareLink } from '../../../../shared/api/shares.ts'
import { t } from '../../../lib/i18n/index.ts'

/** How many of its downloads a link with a limit has given. */
export default function LinkLimit({ link: { maxDownloads = 0, used } }: { link: ShareLink }) {
  return <span>{t('links.downloadsOf', { used: used?.downloads ?? 0, most: maxDownloads })}</span>
}
