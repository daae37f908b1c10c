import { t } from '../../lib/i18n/index.ts'

/** How many downloads a link has left. */
export default function DownloadsLeft({ count }: { count: number }) {
  return <span>{t('links.left', { count })}</span>
}
