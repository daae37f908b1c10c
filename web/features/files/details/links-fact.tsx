import { t } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { IconButton } from '../../../ui/button.tsx'
import { Expiry } from '../../../ui/expiry.tsx'
import { Copy, Lock } from '../../../ui/icons.ts'
import { copyLink, linksQuery } from '../api/share-links.ts'
import styles from './details.module.css'
import { Fact } from './fact.tsx'

/** The share links to an item, with their expiry. Renders nothing without any. */
export function LinksFact({ path }: { path: string }) {
  const { data: links = [] } = useQuery(linksQuery(path))
  if (links.length === 0) return null
  return (
    <Fact label={t('shares.links')}>
      <ul>
        {links.map(link => (
          <li key={link.hash} className={styles.path}>
            <span className={styles.linkEnd}>
              <Expiry expire={link.expire} sentence={when => t('shares.ends', { when })} />
              {link.hasPassword && (
                <span role="img" aria-label={t('shares.locked')} data-tip={t('shares.locked')}>
                  <Lock size={14} aria-hidden />
                </span>
              )}
            </span>
            <IconButton label={t('shares.copy')} className={styles.copy} onClick={() => void copyLink(link)}>
              <Copy size={16} aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
    </Fact>
  )
}
