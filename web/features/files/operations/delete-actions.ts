import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { Action, ActionContext } from '../../../lib/actions.ts'
import { pageConfig } from '../../../lib/config.ts'
import { loadHistory } from '../../../lib/lazy.ts'
import { placesStore } from '../../../lib/other-places.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { Trash2 } from '../../../ui/icons.ts'
import { asksBeforeDeleting } from './ask-before-deleting.ts'

const mayDelete = ({ user, selection }: ActionContext) => (user?.perm.delete ?? false) && selection.length > 0

const hasTrash = (items: readonly ResourceItem[]) => pageConfig.Trash && (placesStore.get()?.hasTrash(items) ?? true)

/** To the trash, without a question; where there is none, or on request, asks first. */
const remove: Action = {
  id: 'delete',
  labelKey: 'actions.delete',
  icon: Trash2,
  shortcut: 'Delete',
  group: 'selection',
  danger: true,
  online: true,
  visible: mayDelete,
  async run({ selection: items }) {
    if (!hasTrash(items)) return openPrompt('delete', { items, permanent: true })
    if (asksBeforeDeleting()) return openPrompt('delete', { items })
    const { deleteItems } = await loadHistory(() => import('./delete.ts'))
    await deleteItems(items)
  },
}

const removeForGood: Action = {
  id: 'deletePermanently',
  labelKey: 'actions.deletePermanently',
  icon: Trash2,
  shortcut: 'Shift+Delete',
  // Without a trash the other action is the same.
  ...(pageConfig.Trash && { group: 'selection' }),
  danger: true,
  online: true,
  visible: mayDelete,
  run: ({ selection: items }) => openPrompt('delete', { items, permanent: true }),
}

/** Delete, and delete for good. */
export const deleteActions: readonly Action[] = [remove, removeForGood]
