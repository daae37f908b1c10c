import type { FilePath } from '../../../../shared/path.ts'
import { actionById, reasonAgainst, runAction, useActionContext } from '../../../lib/actions.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useShortcuts } from '../../../lib/keyboard.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { ClipboardPaste, X } from '../../../ui/icons.ts'
import { emptyClipboard, heldText, useClipboard } from '../operations/clipboard.ts'
import styles from './paste-bar.module.css'

/** What the clipboard holds until it is pasted, below the listing of every folder. */
export default function PasteBar({ path }: { path: FilePath }) {
  const held = useClipboard()
  return held && !held.pasted ? <Bar text={heldText(held)} isHere={held.key === 'x' && held.path === path} /> : null
}

function Bar({ text, isHere }: { text: string; isHere: boolean }) {
  const context = useActionContext()
  const { selection } = context
  useShortcuts('listing', [{ keys: 'Escape', run: () => (selection.length === 0 ? emptyClipboard() : false) }])
  const action = actionById('paste')
  const offline = action && reasonAgainst(action, context)
  const reason = isHere ? t('transfer.alreadyHere') : offline && t(offline)
  const isOffered = action?.visible(context) ?? false
  return (
    <section className={styles.bar} aria-label={t('actions.paste')}>
      <p className={styles.text}>{text}</p>
      {isOffered && action && (
        <Button
          kind="primary"
          icon={<ClipboardPaste size={18} aria-hidden />}
          disabled={reason !== undefined}
          {...(reason && { 'data-tip': reason })}
          onClick={() => runAction(action)}
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
