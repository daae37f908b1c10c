import { formatDate } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { Link } from '../../../lib/router.tsx'
import { factorsQuery } from '../api/factors.ts'
import styles from './duty-bar.module.css'

/** A bar above every page of a user who must set up a second factor, until that is done. */
export default function DutyBar() {
  const { data } = useQuery(factorsQuery())
  if (!data?.due) return null
  return (
    <aside className={styles.bar} aria-label={t('factors.title')}>
      <span>{t('factors.due', { date: formatDate(Date.parse(data.due)) })}</span>
      <Link to="/settings/security">{t('factors.setUpNow')}</Link>
    </aside>
  )
}
