import type { ReactNode } from 'react'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import { shownName } from '../../../shared/bytes.ts'
import { formatDate, formatRelative } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { Glyph, kindOf } from '../../ui/glyph.tsx'
import styles from './public-share.module.css'

export interface SharedHeaderProps {
  resource: ResourceItem
  name: string
  /** Bytes of a file, items of a folder, in words. */
  extent: string
  /** What can be done. */
  children: ReactNode
}

/** What is shared: its kind, name, extent and age. */
export function SharedHeader({ resource, name, extent, children }: SharedHeaderProps) {
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
        </ul>
      </div>
      <div className={styles.actions}>{children}</div>
    </header>
  )
}
