import type { Grant } from '../../../shared/api/grants.ts'
import { shownName } from '../../../shared/bytes.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useQuery } from '../../lib/query.ts'
import { filesUrl, Link } from '../../lib/router.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Trash2 } from '../../ui/icons.ts'
import tables from '../../ui/table.module.css'
import { givenQuery, presetOf, removeGrant } from '../files/api/grants.ts'
import styles from './shares.module.css'

/** What the user shares with users and groups, if anything. */
export default function GivenGrants() {
  const { data } = useQuery(givenQuery())
  if (!data || data.length === 0) return null
  return (
    <div className={tables.frame}>
      <table className={tables.table}>
        <caption className="visually-hidden">{t('grants.given')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('grants.given')}</th>
            <th scope="col">{t('grants.people')}</th>
            <th scope="col" className={tables.wide}>
              {t('grants.rightsOfNew')}
            </th>
            <th scope="col" className={tables.end}>
              <span className="visually-hidden">{t('settings.shareActions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.map(grant => (
            <GrantRow key={grant.id} grant={grant} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function GrantRow({ grant: { id, path, isDir, to, rights } }: { grant: Grant }) {
  const end = () =>
    removeGrant(id)
      .then(() => notify('success', t('grants.removed')))
      .catch((failed: unknown) => notify('error', errorText(failed)))
  return (
    <tr>
      <td>
        <Link className={styles.path} to={filesUrl(path, isDir)}>
          <bdi>{shownName(path)}</bdi>
        </Link>
      </td>
      <td>
        <bdi>{to.name}</bdi>
      </td>
      <td className={tables.wide}>{t(`grants.${presetOf(rights) ?? 'custom'}`)}</td>
      <td className={tables.end}>
        <div className={tables.buttons}>
          <IconButton label={t('grants.remove', { name: to.name })} onClick={() => void end()}>
            <Trash2 size={18} aria-hidden />
          </IconButton>
        </div>
      </td>
    </tr>
  )
}
