import { t } from '../../lib/i18n/index.ts'
import { useQuery } from '../../lib/query.ts'
import { disabledQuery } from './api/users.ts'
import styles from './list.module.css'

/** Says that the account of a user in the list is disabled. */
export default function DisabledMark({ id }: { id: number }) {
  const { data } = useQuery(disabledQuery)
  return data?.has(id) ? <span className={styles.disabled}>{t('accounts.disabled')}</span> : null
}
