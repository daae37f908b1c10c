import { useRef } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Comparison } from '../code/comparison.tsx'
import styles from './changed-text.module.css'

interface ChangedTextPromptProps {
  name: string
  /** Both versions, with LF line endings. */
  mine: string
  theirs: string
  onOverwrite: () => void
  /** Missing where the text cannot be saved as another file. */
  onKeepBoth?: () => void
  onReload: () => void
}

/** Reports that the file was saved by another client, shows the differences, and prompts for the text to keep. */
export default function ChangedTextPrompt(props: ChangedTextPromptProps) {
  const { name, mine, theirs, onOverwrite, onKeepBoth, onReload } = props
  const stay = useRef<HTMLButtonElement>(null)
  const { user } = useSession()
  const settle = (act: () => void) => {
    closePrompt()
    act()
  }
  return (
    <Dialog
      alert
      wide
      title={t('editor.changedTitle', { name })}
      description={t('editor.changedText')}
      onClose={closePrompt}
      initialFocus={stay}
      footer={
        <>
          <Button onClick={() => settle(onReload)}>{t('editor.reload')}</Button>
          {onKeepBoth && user?.perm.create && (
            <Button onClick={() => settle(onKeepBoth)}>{t('conflicts.keepBoth')}</Button>
          )}
          <Button kind="danger" onClick={() => settle(onOverwrite)}>
            {t('editor.overwrite')}
          </Button>
          <Button ref={stay} kind="primary" onClick={closePrompt}>
            {t('fields.stay')}
          </Button>
        </>
      }
    >
      <div className={styles.difference}>
        <Comparison name={name} theirs={theirs} mine={mine} />
      </div>
    </Dialog>
  )
}
