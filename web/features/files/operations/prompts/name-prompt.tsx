import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { t } from '../../../../lib/i18n/index.ts'
import { closePrompt } from '../../../../lib/prompts.ts'
import { Button } from '../../../../ui/button.tsx'
import { Dialog } from '../../../../ui/dialog.tsx'
import { TextField } from '../../../../ui/field.tsx'
import styles from '../../../../ui/form.module.css'
import { knownEntry } from '../../api/list.ts'
import { nameProblem, stemLength } from '../../items/names.ts'

export interface NamePromptProps {
  title: string
  label: string
  confirm: string
  /** The folder that will hold the name. */
  folder: string
  value: string
  /** Initial error of the value: the server's refusal. */
  problem?: string | undefined
  /** A name that is allowed although it is taken: the item's own. */
  own?: string
  /** Fixed extension: appended to the input, unless it is there already. */
  ending?: string
  /** A sentence below the field. */
  hint?: string | undefined
  /** With the extension. */
  onName: (name: string) => void
  /** Further fields. */
  children?: ReactNode
}

/** Prompts for a name; the part before the extension is selected. Names are trimmed. */
export function NamePrompt({ title, label, confirm, folder, own, ending = '', ...rest }: NamePromptProps) {
  const { hint, onName, children, ...initial } = rest
  const [value, setValue] = useState(initial.value)
  const [problem, setProblem] = useState(initial.problem)
  const [marked] = useState(() => (ending ? value.length : stemLength(value)))
  const field = useRef<HTMLInputElement>(null)
  const form = useId()
  useEffect(() => {
    const frame = requestAnimationFrame(() => field.current?.setSelectionRange(0, marked))
    return () => cancelAnimationFrame(frame)
  }, [marked])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = value.trim()
    const name = typed === '' || typed.endsWith(ending) ? typed : typed + ending
    const taken = name !== own && knownEntry(folder, name)
    const wrong = nameProblem(name) ?? (taken ? t('files.nameTaken', { name }) : undefined)
    if (!wrong) {
      closePrompt()
      return onName(name)
    }
    setProblem(wrong)
    field.current?.focus()
  }
  return (
    <Dialog
      title={title}
      onClose={closePrompt}
      initialFocus={field}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={form}>
            {confirm}
          </Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit} noValidate>
        <TextField
          ref={field}
          label={label}
          value={value}
          hint={hint}
          error={problem}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          onChange={event => {
            setValue(event.target.value)
            setProblem(undefined)
          }}
        />
        {children}
      </form>
    </Dialog>
  )
}
