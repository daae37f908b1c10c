import { useId, useRef } from 'react'
import { t } from '../../../../lib/i18n/index.ts'
import { closePrompt } from '../../../../lib/prompts.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import styles from '../../../../ui/form.module.css'
import { NameForm, type NameFormProps } from '../name-form.tsx'

interface NamePromptProps extends NameFormProps {
  title: string
  confirm: string
}

/** Prompts for a name, and closes before it is used. */
export function NamePrompt({ title, confirm, onName, ...form }: NamePromptProps) {
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  return (
    <Dialog
      title={title}
      onClose={closePrompt}
      initialFocus={field}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={id}>
            {confirm}
          </Button>
        </>
      }
    >
      <NameForm
        {...form}
        id={id}
        field={field}
        className={styles.form}
        onName={name => {
          closePrompt()
          return onName(name)
        }}
      />
    </Dialog>
  )
}
