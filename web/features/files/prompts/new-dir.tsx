import { type FormEvent, useEffect, useRef, useState } from 'react'
import { childOf, parsePath } from '../../../../shared/path.ts'
import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt, type PromptProps } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { createFolder } from '../api/create-folder.ts'
import { knownEntry, reloadFolder } from '../api/list.ts'
import { requestFocus } from '../focus-request.ts'
import { nameProblem, stemLength } from '../names.ts'

const FORM = 'new-folder'

/** Asks for a name and makes a folder; the new row gets the focus. */
export default function NewDirPrompt({ folder }: PromptProps['newDir']) {
  const [value, setValue] = useState(() => t('files.newFolderDefault'))
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const frame = requestAnimationFrame(() => field.current?.setSelectionRange(0, stemLength(field.current.value)))
    return () => cancelAnimationFrame(frame)
  }, [])

  const refuse = (text: string) => {
    setProblem(text)
    setBusy(false)
    field.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    const name = value.trim()
    const wrong = nameProblem(name) ?? (knownEntry(folder, name) ? t('files.nameTaken', { name }) : undefined)
    if (wrong) return refuse(wrong)
    setBusy(true)
    try {
      await createFolder(childOf(parsePath(folder), name))
    } catch (error) {
      return refuse(refusal(error, name))
    }
    closePrompt()
    requestFocus(folder, name)
    await reloadFolder(folder)
  }
  return (
    <Dialog
      title={t('files.newFolder')}
      onClose={closePrompt}
      initialFocus={field}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={FORM} busy={busy}>
            {t('files.folderCreate')}
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={event => void submit(event)} noValidate>
        <TextField
          ref={field}
          label={t('files.folderName')}
          value={value}
          error={problem}
          autoComplete="off"
          spellCheck={false}
          dir="auto"
          onChange={event => {
            setValue(event.target.value)
            setProblem(undefined)
          }}
        />
      </form>
    </Dialog>
  )
}

/** The server's refusal as a sentence about the name or the place. */
function refusal(error: unknown, name: string): string {
  if (!(error instanceof ApiError)) return errorText(error)
  if (error.status === 409) return t('files.nameTaken', { name })
  if (error.status === 403) return t('files.newFolderForbidden')
  if (error.status === 507) return t('files.noSpace')
  if (error.code === 'name_too_long') return t('files.nameLong')
  return error.status === 400 ? error.message : errorText(error)
}
