import { CSPProvider } from '@base-ui/react/csp-provider'
import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, RefObject } from 'react'
import { t } from '../lib/i18n/index.ts'
import { useShortcuts } from '../lib/keyboard.ts'
import { IconButton } from './button.tsx'
import styles from './dialog.module.css'
import { X } from './icons.ts'

export interface DialogProps {
  /** Names the object: "Delete 3 files". */
  title: ReactNode
  /** A sentence below the title, read out with it. */
  description?: ReactNode
  onClose: () => void
  /** What gets the focus; else the first control. */
  initialFocus?: RefObject<HTMLElement | null>
  /** Confirmation of something that cannot be undone. */
  alert?: boolean
  /** Buttons, the confirming one last. */
  footer?: ReactNode
  /** A button that leads elsewhere; stands apart from the others, above them where they need the room. */
  aside?: ReactNode
  wide?: boolean
  children?: ReactNode
}

/**
 * A modal dialog, open as long as it is mounted; a sheet at the bottom on narrow screens. Gives the focus back to where
 * it came from. Heavy: import it from lazily loaded parts only.
 */
export function Dialog({
  title,
  description,
  onClose,
  initialFocus,
  alert,
  footer,
  aside,
  wide,
  children,
}: DialogProps) {
  useShortcuts('dialog', [])
  return (
    <CSPProvider disableStyleElements>
      <Base.Root open onOpenChange={open => !open && onClose()} disablePointerDismissal={alert ?? false}>
        <Base.Portal>
          <Base.Backdrop className={styles.backdrop} />
          <Base.Popup
            className={styles.popup}
            role={alert ? 'alertdialog' : 'dialog'}
            data-wide={wide ? '' : undefined}
            initialFocus={initialFocus}
          >
            <div className={styles.head}>
              <Base.Title className={styles.title}>{title}</Base.Title>
              <IconButton label={t('common.close')} onClick={onClose}>
                <X size={18} aria-hidden />
              </IconButton>
            </div>
            {description && <Base.Description className={styles.description}>{description}</Base.Description>}
            {children && <div className={styles.body}>{children}</div>}
            {footer && (
              <div className={styles.footer}>
                {aside}
                <div className={styles.answers}>{footer}</div>
              </div>
            )}
          </Base.Popup>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  )
}
