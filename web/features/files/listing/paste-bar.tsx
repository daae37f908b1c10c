import { useId } from 'react'
import type { FilePath } from '../../../../shared/path.ts'
import { actionById, reasonAgainst, runAction, useActionContext } from '../../../lib/actions.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useShortcuts } from '../../../lib/keyboard.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ClipboardPaste, X } from '../../../ui/icons.ts'
import { type Clipboard, emptyClipboard, heldText } from '../operations/clipboard.ts'
import styles from './paste-bar.module.css'

/** What the clipboard holds, below the listing of every folder. */
export default function PasteBar({ held, path }: { held: Clipboard; path: FilePath }) {
  const context = useActionContext()
  const reasonId = useId()
  const isSelecting = context.selection.length > 0
  useShortcuts('listing', [{ keys: 'Escape', run: () => (isSelecting ? false : emptyClipboard()) }])
  const action = actionById('paste')
  const offline = action && reasonAgainst(action, context)
  const isHere = held.key === 'x' && held.path === path
  const reason = isHere ? t('transfer.alreadyHere', { count: held.items.length }) : offline && t(offline)
  return (
    <section className={styles.bar} data-paste-bar="" aria-label={t('actions.paste')}>
      <p className={styles.text}>
        <span className={styles.held}>{heldText(held)}</span>{' '}
        {reason === undefined ? (
          <span className={styles.hint}>{t('transfer.pasteHint', { count: held.items.length })}</span>
        ) : (
          <span id={reasonId}>{reason}</span>
        )}
      </p>
      {action?.visible(context) && (
        <Button
          kind="primary"
          className={styles.paste}
          data-refused={reason !== undefined || undefined}
          icon={<ClipboardPaste size={18} aria-hidden />}
          aria-disabled={reason !== undefined || held.pasting || undefined}
          aria-describedby={reason === undefined ? undefined : reasonId}
          onClick={() => reason === undefined && runAction(action)}
        >
          {t('actions.paste')}
        </Button>
      )}
      <IconButton label={t('common.cancel')} onClick={emptyClipboard}>
        <X size={18} aria-hidden />
      </IconButton>
    </section>
  )
}
