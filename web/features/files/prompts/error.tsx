import { useRef } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt, type PromptProps } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

/** Something that went wrong and must be read. */
export default function ErrorPrompt({ title, message }: PromptProps['error']) {
  const close = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      alert
      title={title}
      description={message}
      onClose={closePrompt}
      initialFocus={close}
      footer={
        <Button ref={close} kind="primary" onClick={closePrompt}>
          {t('common.ok')}
        </Button>
      }
    />
  )
}
