import { t } from '../../lib/i18n/index.ts'
import { ErrorState } from '../../ui/error-state.tsx'

/** The page of a link that its owner has paused. */
export default function Paused() {
  return <ErrorState level={1} text={t('links.pausedTitle')} detail={t('links.pausedWhy')} />
}
