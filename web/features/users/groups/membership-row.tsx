import type { GroupMember } from '../../../../shared/api/groups.ts'
import { formatList, formatRelative } from '../../../lib/i18n/format.ts'
import { t } from '../../../lib/i18n/index.ts'
import { Link } from '../../../lib/router.tsx'
import { IconButton } from '../../../ui/button.tsx'
import { X } from '../../../ui/icons.ts'
import styles from './groups.module.css'
import { isByHand, providersIn } from './names.ts'

interface MembershipRowProps {
  /** The page of the member, or of the group. */
  to: string
  name: string
  membership: Pick<GroupMember, 'sources' | 'expires'>
  onRemove: () => void
}

/** A member of a group, or a group of a user: where the membership comes from, when it ends, and its end by hand. */
export function MembershipRow({ to, name, membership: { sources, expires }, onRemove }: MembershipRowProps) {
  const providers = providersIn(sources)
  return (
    <li className={styles.item}>
      <div>
        <Link to={to} className={styles.name}>
          <bdi>{name}</bdi>
        </Link>
        {providers.length > 0 && (
          <span className={styles.facts}>{t('groups.from', { name: formatList(providers) })}</span>
        )}
        {expires !== null && (
          <span className={styles.facts}>{t('tokens.expires', { when: formatRelative(Date.parse(expires)) })}</span>
        )}
      </div>
      {isByHand(sources) && (
        <IconButton label={t('groups.remove', { name })} onClick={onRemove}>
          <X size={18} aria-hidden />
        </IconButton>
      )}
    </li>
  )
}
