import { type FormEvent, type ReactNode, type RefObject, useEffect, useState } from 'react'
import { TextField } from '../../../ui/field.tsx'
import { stemLength } from '../items/names.ts'
import { problemWith } from './name-problem.ts'

export interface NameFormProps {
  label: string
  /** The folder that will hold the name, or the names in it. */
  folder: string | ReadonlySet<string>
  value: string
  /** Initial error of the value: the server's refusal. */
  problem?: string | undefined
  /** A name that is allowed although it is taken: the item's own. */
  own?: string | undefined
  /** Fixed extension: appended to the input, unless it is there already. */
  ending?: string | undefined
  /** A sentence below the field. */
  hint?: string | undefined
  /** With the extension. @returns why the name was refused, if it was */
  onName: (name: string) => Promise<string | undefined> | undefined
  /** Further fields, and buttons. */
  children?: ReactNode
}

interface FormProps {
  id?: string
  className: string | undefined
  field: RefObject<HTMLInputElement | null>
}

/** A form for a name; the part before the extension is selected. Names are trimmed. */
export function NameForm({
  label,
  folder,
  own,
  ending = '',
  hint,
  onName,
  children,
  ...rest
}: NameFormProps & FormProps) {
  const { id, className, field, ...initial } = rest
  const [value, setValue] = useState(initial.value)
  const [problem, setProblem] = useState(initial.problem)
  const [untouched] = useState(value)
  useEffect(() => {
    const marked = ending ? untouched.length : stemLength(untouched)
    const frame = requestAnimationFrame(() => {
      // What has been typed since must not be marked: the next letter would replace it.
      if (field.current?.value === untouched) field.current.setSelectionRange(0, marked)
    })
    return () => cancelAnimationFrame(frame)
  }, [field, untouched, ending])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const typed = value.trim()
    const name = typed === '' || typed.endsWith(ending) ? typed : typed + ending
    const wrong = problemWith(name, folder, own) ?? (await onName(name))
    if (!wrong) return
    setProblem(wrong)
    field.current?.focus()
  }
  return (
    <form id={id} className={className} onSubmit={event => void submit(event)} noValidate>
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
  )
}
