import type { ReactNode } from 'react'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { formatDate, formatRelative } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { Glyph, kindOf } from '../../ui/glyph.tsx'
import { LazyBoundary } from '../../ui/lazy-boundary.tsx'
import { DownloadsLeft } from './late-limits.ts'
import styles from './public-share.module.css'

export interface SharedHeaderProps {
  resource: ResourceItem
  name: string
  /** Size of a file, or number of items of a folder, as text. */
  extent: string
  /** Downloads that a link with a limit has left. */
  left?: number | undefined
  /** Actions. */
  children: ReactNode
}

/** Header of a share: type, name, size and age. */
export function SharedHeader({ resource, name, extent, left, children }: SharedHeaderProps) {
  return (
    <header className={styles.header}>
      <Glyph kind={kindOf(resource)} large />
      <div className={styles.about}>
        <h1 className={styles.name}>
          <bdi>{shownName(name)}</bdi>
        </h1>
        <ul className={styles.facts}>
          <li>
            <bdi>{extent}</bdi>
          </li>
          <li>
            <time dateTime={resource.modified} title={formatDate(resource.modified)}>
              {t('publicShare.modified', { when: formatRelative(resource.modified) })}
            </time>
          </li>
          {left !== undefined && (
            <li>
              <LazyBoundary>
                <DownloadsLeft count={left} />
              </LazyBoundary>
            </li>
          )}
        </ul>
      </div>
      <div className={styles.actions}>{children}</div>
    </header>
  )
}
