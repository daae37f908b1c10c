import { useEffect, useState } from 'react'
import type { Tag, TaggedItems } from '../../../shared/api/tags.ts'
import { shownName } from '../../../shared/bytes.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { useOnline } from '../../lib/online.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { useQuery } from '../../lib/query.ts'
import { filesUrl } from '../../lib/router.tsx'
import { useSession } from '../../lib/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { EmptyList } from '../../ui/empty-list.tsx'
import { Pencil, Trash2, X } from '../../ui/icons.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Tag as TagIcon } from '../../ui/tag.tsx'
import { fetchTagged, taggedQuery, tagsQuery } from '../files/api/tags.ts'
import { TagChips } from '../files/items/tag-chips.tsx'
import { changeTags } from './change-tags.ts'
import styles from './marks.module.css'
import { MarksPage } from './page.tsx'
import { MarkedFacts } from './row.tsx'
import { sharesTags } from './shares-tags.ts'
import own from './tags.module.css'

/** All tags, and the items that have one of them. @param chosen the id of that tag; the first one unless given */
export function TaggedPage({ chosen }: { chosen: string | undefined }) {
  const query = useQuery(tagsQuery)
  const tags = query.data?.items ?? []
  const tag = tags.find(({ id }) => id === chosen) ?? tags[0]
  return (
    <MarksPage title={t('nav.tags')} query={query} tools={tag && <TagTools tag={tag} />}>
      {tags.length > 0 && (
        <nav className={own.choice} aria-label={t('nav.tags')}>
          <TagChips tags={tags} current={tag?.id} />
        </nav>
      )}
      {tag ? (
        <Tagged key={tag.id} tag={tag} />
      ) : (
        <EmptyList icon={<TagIcon size={40} aria-hidden />} title={t('tags.none')} text={t('tags.noneText')} />
      )}
    </MarksPage>
  )
}

function TagTools({ tag }: { tag: Tag }) {
  const { user } = useSession()
  const online = useOnline()
  if (tag.shared && !sharesTags(user)) return null
  return (
    <>
      <Button icon={<Pencil size={18} aria-hidden />} disabled={!online} onClick={() => openPrompt('editTag', { tag })}>
        {t('tags.edit')}
      </Button>
      <Button
        icon={<Trash2 size={18} aria-hidden />}
        disabled={!online}
        onClick={() => openPrompt('deleteTag', { tag })}
      >
        {t('tags.delete')}
      </Button>
    </>
  )
}

function Tagged({ tag }: { tag: Tag }) {
  const { user } = useSession()
  const online = useOnline()
  const { items, next, more, error, retry } = useTagged(tag.id)
  const maySet = online && (!tag.shared || user?.perm.modify === true)
  if (error) return <LoadFailure error={error} onRetry={retry} />
  if (items?.length === 0 && next === undefined)
    return <EmptyList icon={<TagIcon size={40} aria-hidden />} title={t('tags.noItems')} text={t('tags.noneText')} />
  return (
    <>
      <ul className={styles.list} aria-label={tag.name}>
        {items?.map(item => (
          <li key={item.id} className={styles.row}>
            <MarkedFacts
              item={item}
              to={item.trash === undefined ? filesUrl(item.path, item.isDir) : `/trash/${item.trash}/`}
              note={item.trash === undefined ? undefined : t('marks.inTrash')}
              time={item.modified}
            />
            {item.trash === undefined && (
              <IconButton
                label={t('tags.removeFrom', { name: shownName(item.name) })}
                disabled={!maySet}
                onClick={() => void changeTags([item.path], { remove: [tag.id] })}
              >
                <X size={18} aria-hidden />
              </IconButton>
            )}
          </li>
        ))}
      </ul>
      {next !== undefined && (
        <div className={own.more}>
          <Button onClick={() => void more(next)}>{t('views.more')}</Button>
        </div>
      )}
    </>
  )
}

/** The items of a tag, page by page; a changed first page starts from scratch. */
function useTagged(id: string) {
  const { data, error, refetch } = useQuery(taggedQuery(id))
  const [later, setLater] = useState<readonly TaggedItems[]>([])
  useEffect(() => {
    // Of the time before a change.
    if (data) setLater([])
  }, [data])
  const more = async (before: string) => {
    try {
      const page = await fetchTagged(id, before)
      setLater(known => [...known, page])
    } catch (failure) {
      notify('error', errorText(failure))
    }
  }
  return {
    items: data && [data, ...later].flatMap(page => page.items),
    next: (later.at(-1) ?? data)?.next,
    more,
    error: data ? null : error,
    retry: () => void refetch(),
  }
}
