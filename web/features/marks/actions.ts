import type { Action, ActionContext } from '../../lib/actions.ts'
import { loadHistory } from '../../lib/lazy.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { navigate } from '../../lib/router.tsx'
import { Clock } from '../../ui/icons.ts'
import { Star } from '../../ui/star.tsx'
import { Tag } from '../../ui/tag.tsx'
import { starredStore } from '../files/items/starred.ts'

const areStarred = ({ selection }: ActionContext) => selection.every(({ path }) => starredStore.get().has(path))

const starAction = (id: 'star' | 'unstar', isOn: boolean): Action => ({
  id,
  labelKey: `actions.${id}`,
  icon: Star,
  shortcut: 'Alt+S',
  alternative: 'Ctrl+D',
  group: 'selection',
  online: true,
  visible: ctx => ctx.user !== null && ctx.selection.length > 0 && areStarred(ctx) !== isOn,
  run: async ({ selection }) => (await loadHistory(() => import('./set-stars.ts'))).setStars(selection, isOn),
})

/** Star and its reverse, which share a key. */
export const starActions: readonly Action[] = [starAction('star', true), starAction('unstar', false)]

/** Sets the tags of the selected items. */
export const tagsAction: Action = {
  id: 'tags',
  labelKey: 'actions.tags',
  icon: Tag,
  group: 'selection',
  online: true,
  visible: ({ user, selection }) => user !== null && selection.length > 0,
  run: ({ selection }) => openPrompt('tags', { items: selection }),
}

const place = (id: 'starred' | 'recent' | 'tags', icon: typeof Star): Action => ({
  id: id === 'tags' ? 'tagged' : id,
  labelKey: `nav.${id}`,
  icon,
  scope: 'global',
  visible: ({ user }) => user !== null,
  run: () => void navigate(`/${id}`),
})

/** Open the lists of starred, tagged and recent items. */
export const markPlaces: readonly Action[] = [place('starred', Star), place('tags', Tag), place('recent', Clock)]
