import { formatDate } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { factorsQuery } from '../api/factors.ts'
import styles from './factors.module.css'

/** Since when the user's password is the same, where the server knows. */
export default function PasswordAge() {
  const { data } = useQuery(factorsQuery())
  if (!data?.password) return null
  return <p className={styles.facts}>{t('factors.passwordSince', { date: formatDate(Date.parse(data.password)) })}</p>
}
