import { useRef, useState } from 'react'
import type { ShareLink } from '../../../../shared/api/shares.ts'
import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt, currentPrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { reloadShares, removeShare } from '../../files/api/share-links.ts'
import styles from './share-delete.module.css'

interface ShareDeletePromptProps {
  link: Pick<ShareLink, 'hash' | 'path'>
  /** Opens the prompt to return to, if any. */
  back?: () => void
}

/** Confirms the deletion of a share link, with the focus on Cancel. */
export default function ShareDeletePrompt({ link, back }: ShareDeletePromptProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')
  const leave = back ?? closePrompt

  const run = async () => {
    const id = currentPrompt()?.id
    setBusy(true)
    setProblem('')
    try {
      await removeShare(link)
    } catch (error) {
      // A link already deleted by another client is no error.
      if (!(error instanceof ApiError && error.status === 404)) {
        setProblem(errorText(error))
        return setBusy(false)
      }
    }
    notify('success', t('shares.deleted'))
    await reloadShares()
    if (currentPrompt()?.id === id) leave()
  }
  return (
    <Dialog
      alert
      title={t('shares.deleteTitle')}
      description={t('shares.deleteText', { path: link.path })}
      onClose={leave}
      initialFocus={cancel}
      footer={
        <>
          <Button ref={cancel} onClick={leave}>
            {t('common.cancel')}
          </Button>
          <Button kind="danger" busy={busy} onClick={() => void run()}>
            {t('actions.delete')}
          </Button>
        </>
      }
    >
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </Dialog>
  )
}
