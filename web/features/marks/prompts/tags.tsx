import { useRef, useState } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { MAX_TAG_NAME, type Tag } from '../../../../shared/api/tags.ts'
import { shownName } from '../../../../shared/bytes.ts'
import { t } from '../../../lib/i18n/index.ts'
import { closePrompt } from '../../../lib/prompts.ts'
import { useQuery } from '../../../lib/query.ts'
import { useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'
import { tagsOfQuery, tagsQuery } from '../../files/api/tags.ts'
import { TagDot } from '../../files/items/tag-dot.tsx'
import { changeTags } from '../change-tags.ts'
import { NewTagForm } from '../new-tag-form.tsx'
import styles from '../tags.module.css'

interface TagsPromptProps {
  items: readonly Pick<ResourceItem, 'path' | 'name'>[]
}

/** Sets the tags of items, each at once, and creates tags. */
export default function TagsPrompt({ items }: TagsPromptProps) {
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const paths = items.map(({ path }) => path)
  const { data: known, error, refetch } = useQuery(tagsQuery)
  const { data: set = [] } = useQuery(tagsOfQuery(paths))
  const wanted = text.trim().toLowerCase()
  const found = known?.items.filter(({ name }) => name.toLowerCase().includes(wanted)) ?? []
  const isNew = wanted !== '' && !found.some(({ name }) => name.toLowerCase() === wanted)
  const countOf = ({ id }: Tag) => set.filter(({ tags }) => tags?.includes(id)).length
  const toggle = (tag: Tag, isOn: boolean) => void changeTags(paths, isOn ? { add: [tag.id] } : { remove: [tag.id] })
  const done = () => {
    setText('')
    // The form that had the focus is gone.
    field.current?.focus()
  }
  const [first] = items
  return (
    <Dialog
      title={t('nav.tags')}
      description={items.length === 1 && first ? shownName(first.name) : t('files.selected', { count: items.length })}
      onClose={closePrompt}
      footer={<Button onClick={closePrompt}>{t('common.close')}</Button>}
    >
      <div className={styles.fields}>
        <TextField
          ref={field}
          label={t('tags.find')}
          value={text}
          maxLength={MAX_TAG_NAME}
          autoComplete="off"
          onChange={event => setText(event.target.value)}
          onKeyDown={event => {
            const [only] = found
            if (event.key !== 'Enter' || isNew || wanted === '' || !only) return
            event.preventDefault()
            toggle(only, countOf(only) < items.length)
          }}
        />
        {!known && error && <LoadFailure error={error} onRetry={() => void refetch()} />}
        {found.length > 0 && (
          <ul className={styles.known} aria-label={t('nav.tags')}>
            {found.map(tag => (
              <KnownTag key={tag.id} tag={tag} count={countOf(tag)} of={items.length} onChange={toggle} />
            ))}
          </ul>
        )}
        {known?.items.length === 0 && wanted === '' && <p>{t('tags.none')}</p>}
        {isNew && <NewTagForm key="new" name={text.trim()} paths={paths} onDone={done} />}
      </div>
    </Dialog>
  )
}

interface KnownTagProps {
  tag: Tag
  /** How many of the items have it. */
  count: number
  of: number
  onChange: (tag: Tag, isOn: boolean) => void
}

function KnownTag({ tag, count, of, onChange }: KnownTagProps) {
  const { user } = useSession()
  return (
    <li className={styles.line}>
      <TagDot colour={tag.colour} />
      <Checkbox
        ref={box => {
          if (box) box.indeterminate = count > 0 && count < of
        }}
        label={tag.name}
        checked={count === of}
        disabled={tag.shared && !user?.perm.modify}
        onChange={isOn => onChange(tag, isOn)}
        {...(tag.shared && { hint: t('tags.shared') })}
      />
    </li>
  )
}
