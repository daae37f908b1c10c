import { shownName } from '../../../../../shared/bytes.ts'
import { t } from '../../../../lib/i18n/index.ts'
import styles from './names.module.css'

/** Number of names listed; the rest is counted. */
const LISTED = 5

/** The first of the names that a question is about. Keys are unique. */
export function Names({ items }: { items: readonly { key: string; name: string }[] }) {
  const more = items.length - LISTED
  return (
    <ul className={styles.names}>
      {items.slice(0, LISTED).map(({ key, name }) => (
        <li key={key} className={styles.name}>
          <bdi>{shownName(name)}</bdi>
        </li>
      ))}
      {more > 0 && <li className={styles.more}>{t('files.deleteMore', { count: more })}</li>}
    </ul>
  )
}
