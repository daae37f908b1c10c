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
  /** A sentence below the title, announced with it. */
  description?: ReactNode
  onClose: () => void
  /** Initial focus; defaults to the first control. */
  initialFocus?: RefObject<HTMLElement | null>
  /** Confirmation of an irreversible operation. */
  alert?: boolean
  /** Buttons, the confirming one last. */
  footer?: ReactNode
  /** A secondary button; set apart from the others, above them on narrow screens. */
  aside?: ReactNode
  /** Wider; `full` for two columns, `side` at the side of the page, in its full height. */
  wide?: boolean | 'full' | 'side'
  children?: ReactNode
}

/**
 * A modal dialog, open while mounted; a bottom sheet on narrow screens. Returns the focus to its trigger. Heavy: import
 * it from lazily loaded parts only.
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
            data-wide={wide === true ? '' : wide || undefined}
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
