import { t } from '../../lib/i18n/index.ts'
import { ErrorState } from '../../ui/error-state.tsx'

/** The page of a link whose downloads are used up. */
export default function UsedUp() {
  const detail = `${t('links.usedUpWhy')} ${t('publicShare.askAgain')}`
  return <ErrorState level={1} text={t('links.usedUp')} detail={detail} />
}
