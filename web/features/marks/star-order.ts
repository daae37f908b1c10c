import type { StarList, StarredItem } from '../../../shared/api/marks.ts'
import { shownName } from '../../../shared/bytes.ts'
import { announce } from '../../lib/announce.ts'
import { errorText } from '../../lib/error-text.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { queryClient } from '../../lib/query.ts'
import { orderStars, reloadStars, removeStar, starsQuery } from './api/marks.ts'

const show = (items: StarredItem[]) => queryClient.setQueryData<StarList>(starsQuery.queryKey, { items })

/** Applies a change to the list at once, and takes it back if the server refuses. */
async function apply(items: StarredItem[], send: () => Promise<void>): Promise<void> {
  await queryClient.cancelQueries({ queryKey: starsQuery.queryKey })
  show(items)
  try {
    await send()
  } catch (error) {
    notify('error', errorText(error))
  }
  await reloadStars()
}

/** Moves a star to another place of the list. Never rejects. */
export async function moveStar(items: readonly StarredItem[], from: number, to: number): Promise<void> {
  const item = items[from]
  if (!item || to < 0 || to >= items.length || from === to) return
  const next = items.toSpliced(from, 1).toSpliced(to, 0, item)
  announce(t('marks.movedTo', { name: shownName(item.name), place: to + 1, count: items.length }))
  await apply(next, () => orderStars(next.map(({ id }) => id)))
}

/** Removes a star from the list. Never rejects. */
export async function dropStar(items: readonly StarredItem[], item: StarredItem): Promise<void> {
  announce(t('marks.removed'))
  await apply(
    items.filter(({ id }) => id !== item.id),
    () => removeStar(item),
  )
}
