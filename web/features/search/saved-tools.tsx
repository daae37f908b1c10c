import { type RefObject, useId, useState } from 'react'
import { MAX_SEARCH_NAME, type SavedSearch } from '../../../shared/api/saved-searches.ts'
import { ApiError } from '../../lib/api.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useOnline } from '../../lib/online.ts'
import type { SearchPlace } from '../../lib/route.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Pencil, Trash2 } from '../../ui/icons.ts'
import { removeSearch, renameSearch, saveSearch } from './api/saved.ts'
import { nameOfSearch } from './facet-labels.ts'
import styles from './saved.module.css'

interface SavedToolsProps {
  place: SearchPlace
  saved: SavedSearch | undefined
  /** Gets the focus when a control that had it is gone. */
  heading: RefObject<HTMLElement | null>
}

/** Saves the search of the page, or renames and removes it where it is saved. */
export function SavedTools({ place, saved, heading }: SavedToolsProps) {
  const [naming, setNaming] = useState(false)
  const online = useOnline()
  if (naming) {
    return (
      <NameForm
        name={saved?.name ?? nameOfSearch(place.query).slice(0, MAX_SEARCH_NAME)}
        save={name => (saved ? renameSearch(saved.id, name) : saveSearch({ ...place, name }))}
        onDone={() => {
          setNaming(false)
          heading.current?.focus()
        }}
      />
    )
  }
  if (!saved) {
    return (
      <Button disabled={!online || place.query === ''} onClick={() => setNaming(true)}>
        {t('found.save')}
      </Button>
    )
  }
  return (
    <div className={styles.tools}>
      <IconButton label={t('actions.rename')} disabled={!online} onClick={() => setNaming(true)}>
        <Pencil size={18} aria-hidden />
      </IconButton>
      <IconButton
        label={t('found.remove')}
        disabled={!online}
        onClick={() => void remove(saved).then(() => heading.current?.focus())}
      >
        <Trash2 size={18} aria-hidden />
      </IconButton>
    </div>
  )
}

/** Removes a saved search, with undo. Never rejects. */
async function remove(saved: SavedSearch): Promise<void> {
  const report = (error: unknown) => notify('error', errorText(error))
  try {
    await removeSearch(saved)
    notify('success', t('found.removed'), {
      label: t('actions.undo'),
      run: () => void saveSearch(saved).catch(report),
    })
  } catch (error) {
    report(error)
  }
}

interface NameFormProps {
  name: string
  /** @throws ApiError */
  save: (name: string) => Promise<void>
  onDone: () => void
}

function NameForm({ name: initial, save, onDone }: NameFormProps) {
  const id = useId()
  const [name, setName] = useState(initial)
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    try {
      await save(name.trim())
      onDone()
    } catch (error) {
      const isFull = error instanceof ApiError && error.status === 409
      notify('error', isFull ? t('found.tooMany') : errorText(error))
      setBusy(false)
    }
  }
  return (
    <form
      className={styles.form}
      onSubmit={event => {
        event.preventDefault()
        if (!busy && name.trim() !== '') void submit()
      }}
      onKeyDown={event => {
        if (event.key === 'Escape') onDone()
      }}
    >
      <label htmlFor={id} className="visually-hidden">
        {t('files.columnName')}
      </label>
      <input
        ref={field => field?.focus()}
        id={id}
        className={styles.name}
        value={name}
        maxLength={MAX_SEARCH_NAME}
        autoComplete="off"
        onFocus={event => event.target.select()}
        onChange={event => setName(event.target.value)}
      />
      <Button kind="primary" type="submit" busy={busy} disabled={name.trim() === ''}>
        {t('fields.save')}
      </Button>
      <Button onClick={onDone}>{t('common.cancel')}</Button>
    </form>
  )
}
