import { useRef } from 'react'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt, type PromptProps } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'

/** Tells that somebody else has saved the file meanwhile, and asks which text is to stay. */
export default function ChangedTextPrompt({ name, onOverwrite, onReload }: PromptProps['changedText']) {
  const stay = useRef<HTMLButtonElement>(null)
  const settle = (act: () => void) => {
    closePrompt()
    act()
  }
  return (
    <Dialog
      alert
      title={t('editor.changedTitle', { name })}
      description={t('editor.changedText')}
      onClose={closePrompt}
      initialFocus={stay}
      footer={
        <>
          <Button onClick={() => settle(onReload)}>{t('editor.reload')}</Button>
          <Button kind="danger" onClick={() => settle(onOverwrite)}>
            {t('editor.overwrite')}
          </Button>
          <Button ref={stay} kind="primary" onClick={closePrompt}>
            {t('fields.stay')}
          </Button>
        </>
      }
    />
  )
}
