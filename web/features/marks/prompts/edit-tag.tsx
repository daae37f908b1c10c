import { useId, useRef, useState } from 'react'
import { MAX_TAG_NAME, type Tag } from '../../../../shared/api/tags.ts'
import { ApiError } from '../../../lib/api.ts'
import { errorText } from '../../../lib/error-text.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { changeTag } from '../../files/api/tags.ts'
import { reloadTagged } from '../change-tags.ts'
import { TagColours } from '../tag-colours.tsx'
import styles from '../tags.module.css'

/** Changes the name and colour of a tag, on all items that have it. */
export default function EditTagPrompt({ tag }: { tag: Tag }) {
  const field = useRef<HTMLInputElement>(null)
  const form = useId()
  const [name, setName] = useState(tag.name)
  const [colour, setColour] = useState(tag.colour)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const save = async () => {
    setBusy(true)
    try {
      await changeTag(tag.id, { name: name.trim(), colour })
      await reloadTagged()
      closePrompt()
    } catch (error) {
      const isTaken = error instanceof ApiError && error.status === 409
      setProblem(isTaken ? t('tags.taken') : errorText(error))
      setBusy(false)
      field.current?.focus()
    }
  }
  return (
    <Dialog
      title={t('tags.edit')}
      onClose={closePrompt}
      initialFocus={field}
      footer={
        <>
          <Button onClick={closePrompt}>{t('common.cancel')}</Button>
          <Button kind="primary" type="submit" form={form} busy={busy} disabled={name.trim() === ''}>
            {t('fields.save')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className={styles.fields}
        onSubmit={event => {
          event.preventDefault()
          if (!busy) void save()
        }}
      >
        <TextField
          ref={field}
          label={t('files.columnName')}
          value={name}
          maxLength={MAX_TAG_NAME}
          {...(problem !== undefined && { error: problem })}
          onChange={event => {
            setName(event.target.value)
            setProblem(undefined)
          }}
        />
        <TagColours value={colour} onChange={setColour} />
      </form>
    </Dialog>
  )
}
