import { useEffect, useRef } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

interface LeaveTextPromptProps {
  name: string
  /** Whether to save or discard the text before leaving it; the first answer counts. */
  answer: (choice: 'save' | 'discard' | 'stay') => void
}

/** Prompts whether to save or discard a text before leaving it. Closing the prompt stays with the text. */
export default function LeaveTextPrompt({ name, answer }: LeaveTextPromptProps) {
  const save = useRef<HTMLButtonElement>(null)
  // Only the first answer counts.
  useEffect(() => () => answer('stay'), [answer])
  const settle = (choice: 'save' | 'discard') => {
    answer(choice)
    closePrompt()
  }
  return (
    <Dialog
      alert
      title={t('editor.leaveTitle', { name })}
      description={t('editor.leaveText')}
      onClose={closePrompt}
      initialFocus={save}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button onClick={() => settle('discard')}>{t('fields.discard')}</Button>
          <Button ref={save} kind="primary" onClick={() => settle('save')}>
            {t('fields.save')}
          </Button>
        </>
      }
    />
  )
}
