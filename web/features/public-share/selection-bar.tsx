import type { ReactNode } from 'react'
import type { ResourceItem } from '../../../shared/api/resources.ts'
import { formatBytes } from '../../lib/i18n/format.ts'
import { t } from '../../lib/i18n/index.ts'
import { useWindowClass } from '../../lib/media.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Download, X } from '../../ui/icons.ts'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import { SplitButton } from '../../ui/split-button.tsx'
import styles from './public-share.module.css'

export interface SelectionBarProps {
  selection: readonly ResourceItem[]
  onEnd: () => void
  onAll: () => void
  onDownload: () => void
  /** Other archive formats for the download. */
  formats: readonly MenuEntry[]
  /** Further actions. */
  children?: ReactNode
}

/** The selection and its actions; replaces the breadcrumb. */
export function SelectionBar({ selection, onEnd, onAll, onDownload, formats, children }: SelectionBarProps) {
  // With further actions a phone has no room for its text.
  const isShort = useWindowClass() === 'narrow' && children !== undefined
  const bytes = selection.reduce((sum, item) => sum + (item.isDir ? 0 : item.size), 0)
  return (
    <section className={`${styles.bar} ${styles.choice}`} aria-label={t('files.selectionBar')}>
      <IconButton label={t('actions.clearSelection')} keys="Esc" onClick={onEnd}>
        <X size={18} aria-hidden />
      </IconButton>
      <p className={styles.chosen} role="status">
        {t('files.selected', { count: selection.length })}
        {bytes > 0 && <span className={styles.chosenSize}>{` · ${formatBytes(bytes)}`}</span>}
      </p>
      <Button kind="quiet" className={styles.all} onClick={onAll}>
        {t('actions.selectAll')}
      </Button>
      {children}
      <SplitButton
        kind="quiet"
        icon={<Download size={18} aria-hidden />}
        aria-label={t('publicShare.downloadSelected')}
        disabled={selection.length === 0}
        onClick={onDownload}
        menuLabel={t('download.otherFormats')}
        entries={formats}
      >
        {!isShort && t('common.download')}
      </SplitButton>
    </section>
  )
}
