import { useState } from 'react'
import type { TagColour } from '../../../shared/api/tags.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useSession } from '../../lib/session.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { createTag } from '../files/api/tags.ts'
import { changeTags } from './change-tags.ts'
import { sharesTags } from './shares-tags.ts'
import { TagColours } from './tag-colours.tsx'
import styles from './tags.module.css'

interface NewTagFormProps {
  name: string
  /** Of the items that get it. */
  paths: readonly string[]
  onDone: () => void
}

/** Creates a tag and gives it to items. */
export function NewTagForm({ name, paths, onDone }: NewTagFormProps) {
  const { user } = useSession()
  const [colour, setColour] = useState<TagColour>('blue')
  const [shared, setShared] = useState(false)
  const [busy, setBusy] = useState(false)
  const create = async () => {
    setBusy(true)
    try {
      const { id } = await createTag({ name, colour, shared })
      await changeTags(paths, { add: [id] })
      onDone()
    } catch (error) {
      notify('error', errorText(error))
      setBusy(false)
    }
  }
  return (
    <form
      className={styles.fields}
      onSubmit={event => {
        event.preventDefault()
        if (!busy) void create()
      }}
    >
      <TagColours value={colour} onChange={setColour} />
      {sharesTags(user) && <Checkbox label={t('tags.shared')} checked={shared} onChange={setShared} />}
      <Button type="submit" kind="primary" busy={busy}>
        {t('tags.create', { name })}
      </Button>
    </form>
  )
}
