import { createPortal } from 'react-dom'
import { t } from '../../lib/i18n/index.ts'
import { useOnline } from '../../lib/online.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Ellipsis, FolderInput, ListChecks, RotateCcw, Trash2, X } from '../../ui/icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import styles from '../files/listing/selection-bar.module.css'
import trash from './trash.module.css'

/** What can be done with the selection; what is not allowed is missing. */
export interface TrashCommands {
  restore?: (() => void) | undefined
  restoreTo?: (() => void) | undefined
  purge?: (() => void) | undefined
}

interface BarProps {
  /** The element that the bar covers, so that the rows stay where they are. */
  strip: HTMLElement | null
  count: number
  commands: TrashCommands
  compact: boolean
  onEnd: () => void
  onAll: () => void
}

/** The selection and its actions; on a phone these are in the bar at the bottom. */
export function TrashBar({ strip, count, commands, compact, onEnd, onAll }: BarProps) {
  if (!strip) return null
  return createPortal(
    <Toolbar className={`${styles.bar} ${trash.over}`} label={t('files.selectionBar')}>
      <IconButton label={t('actions.clearSelection')} keys="Esc" onClick={onEnd}>
        <X size={18} aria-hidden />
      </IconButton>
      <p className={styles.chosen} role="status">
        {t('files.selected', { count })}
      </p>
      {compact ? (
        <IconButton label={t('actions.selectAll')} onClick={onAll}>
          <ListChecks size={18} aria-hidden />
        </IconButton>
      ) : (
        <div className={styles.actions}>
          <Actions commands={commands} />
        </div>
      )}
    </Toolbar>,
    strip,
  )
}

function Actions({ commands: { restore, restoreTo, purge } }: { commands: TrashCommands }) {
  const disabled = !useOnline()
  return (
    <>
      {restore && (
        <Button
          kind="quiet"
          className={styles.action}
          icon={<RotateCcw size={18} aria-hidden />}
          disabled={disabled}
          onClick={restore}
        >
          {t('trash.bringBack')}
        </Button>
      )}
      {restoreTo && (
        <Button
          kind="quiet"
          className={styles.action}
          icon={<FolderInput size={18} aria-hidden />}
          disabled={disabled}
          onClick={restoreTo}
        >
          {t('trash.restoreTo')}
        </Button>
      )}
      {purge && (
        <Button
          kind="quiet"
          className={styles.action}
          data-danger=""
          icon={<Trash2 size={18} aria-hidden />}
          disabled={disabled}
          onClick={purge}
        >
          {t('trash.purge')}
        </Button>
      )}
    </>
  )
}

/** The actions on a phone, at the bottom. */
export function PhoneBar({ commands: { restore, restoreTo, purge } }: { commands: TrashCommands }) {
  const disabled = !useOnline()
  const icon = { size: 18, 'aria-hidden': true } as const
  const entries = [
    ...(restoreTo
      ? [{ id: 'to', label: t('trash.restoreTo'), icon: <FolderInput {...icon} />, disabled, run: restoreTo }]
      : []),
    ...(purge
      ? [{ id: 'purge', label: t('trash.purge'), icon: <Trash2 {...icon} />, disabled, danger: true, run: purge }]
      : []),
  ]
  return (
    <Toolbar className={styles.phone} label={t('files.menu')} atBottom>
      {restore && (
        <button type="button" className={styles.phoneAction} disabled={disabled} onClick={restore}>
          <RotateCcw size={20} aria-hidden />
          <span className={styles.phoneLabel}>{t('trash.bringBack')}</span>
        </button>
      )}
      {entries.length > 0 && (
        <MenuButton label={t('views.more')} entries={entries}>
          <Ellipsis size={18} aria-hidden />
        </MenuButton>
      )}
    </Toolbar>
  )
}
