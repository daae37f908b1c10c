import { useRef, useState } from 'react'
import type { TokenInfo } from '../../../../shared/api/tokens.ts'
import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { notify } from '../../../lib/notices.ts'
import { closePrompt, currentPrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { endToken, reloadTokens } from '../api/tokens.ts'
import styles from '../tokens/tokens.module.css'

interface TokenEndPromptProps {
  token: Pick<TokenInfo, 'id' | 'label'>
  /** Its user, if not the caller. */
  userId: number | undefined
}

/** Confirms the end of an API token, with the focus on Cancel. */
export default function TokenEndPrompt({ token: { id, label }, userId }: TokenEndPromptProps) {
  const cancel = useRef<HTMLButtonElement>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState('')

  const run = async () => {
    const prompt = currentPrompt()?.id
    setBusy(true)
    setProblem('')
    try {
      await endToken(id, userId)
    } catch (error) {
      // A token that another client has ended is no error.
      if (!(error instanceof ApiError && error.status === 404)) {
        setProblem(errorText(error))
        return setBusy(false)
      }
    }
    notify('success', t('tokens.revoked'))
    await reloadTokens()
    if (currentPrompt()?.id === prompt) closePrompt()
  }
  return (
    <Dialog
      alert
      title={t('tokens.revokeTitle', { name: label })}
      description={t('tokens.revokeText')}
      onClose={closePrompt}
      initialFocus={cancel}
      footer={
        <>
          <Button ref={cancel} onClick={closePrompt}>
            {t('common.cancel')}
          </Button>
          <Button kind="danger" busy={busy} onClick={() => void run()}>
            {t('tokens.revoke')}
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
