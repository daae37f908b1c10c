import { type FormEvent, useId, useRef, useState } from 'react'
import { MAX_SENDER } from '../../../../shared/limits.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { senderPreference } from '../../../lib/sender.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { giveName } from '../edit/begin.ts'
import type { Link } from '../link.ts'

interface VisitorNameProps {
  link: Link
  /** Runs once the name is given. */
  act?: () => void
}

/** Prompts a visitor for the name that the owner sees with what is changed. */
export default function VisitorNamePrompt({ link, act }: VisitorNameProps) {
  const [name, setName] = useState(senderPreference.store.get())
  const [problem, setProblem] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const form = useId()
  const isRequired = link.sender === 'required'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isRequired && name.trim() === '') {
      setProblem(t('links.nameMissing'))
      field.current?.focus()
      return
    }
    giveName(link, name.trim())
    closePrompt()
    act?.()
  }
  return (
    <Dialog
      title={t('links.nameTitle')}
      description={t('links.nameText')}
      onClose={closePrompt}
      initialFocus={field}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={form}>
            {t(act ? 'conflicts.apply' : 'fields.save')}
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={submit}>
        <TextField
          ref={field}
          label={t('links.yourName')}
          hint={isRequired ? undefined : t('links.optional')}
          value={name}
          error={problem}
          maxLength={MAX_SENDER}
          autoComplete="name"
          dir="auto"
          required={isRequired}
          onChange={event => {
            setName(event.target.value)
            setProblem(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}
