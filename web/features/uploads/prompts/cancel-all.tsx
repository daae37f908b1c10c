import { useRef } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

interface CancelAllPromptProps {
  /** Cancels what is still running. */
  run: () => void
}

/** Confirms that all uploads are cancelled; they continue meanwhile. */
export default function CancelAllPrompt({ run }: CancelAllPromptProps) {
  const goOn = useRef<HTMLButtonElement>(null)
  const cancel = () => {
    closePrompt()
    run()
  }
  return (
    <Dialog
      alert
      title={t('uploads.cancelTitle')}
      description={t('uploads.cancelText')}
      onClose={closePrompt}
      initialFocus={goOn}
      footer={
        <>
          <Button kind="danger" onClick={cancel}>
            {t('uploads.cancelAll')}
          </Button>
          <Button ref={goOn} kind="primary" onClick={closePrompt}>
            {t('uploads.goOn')}
          </Button>
        </>
      }
    />
  )
}
