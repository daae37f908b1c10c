import { useEffect, useRef } from 'react'
import { t } from '../lib/i18n/index.ts'
import { closePrompt } from '../lib/prompts.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

interface DiscardPromptProps {
  /** Whether to discard unsaved input; the first answer counts. */
  answer: (leave: boolean) => void
}

/** Confirms discarding unsaved input. Closing the prompt keeps the input. */
export default function DiscardPrompt({ answer }: DiscardPromptProps) {
  const stay = useRef<HTMLButtonElement>(null)
  // Only the first answer counts.
  useEffect(() => () => answer(false), [answer])
  const leave = () => {
    answer(true)
    closePrompt()
  }
  return (
    <Dialog
      alert
      title={t('fields.discardTitle')}
      description={t('fields.discardText')}
      onClose={closePrompt}
      initialFocus={stay}
      footer={
        <>
          <Button kind="danger" onClick={leave}>
            {t('fields.discard')}
          </Button>
          <Button ref={stay} kind="primary" onClick={closePrompt}>
            {t('fields.stay')}
          </Button>
        </>
      }
    />
  )
}
