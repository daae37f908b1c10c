import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useShortcuts } from '../../../lib/keyboard.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { Button } from '../../../ui/button.tsx'
import { FolderInput, Pencil, Trash2 } from '../../../ui/icons.ts'
import type { Link } from '../link.ts'
import { begin } from './begin.ts'
import type { Edit } from './edit.ts'

interface EditSelectionProps {
  link: Link
  edit: Edit
  /** The name of the shared folder. */
  name: string
  selection: readonly ResourceItem[]
}

/** What a visitor can do with the selection, also by F2 and Delete. */
export default function EditSelection({ link, edit: { rights, folders }, name, selection }: EditSelectionProps) {
  const [first, ...others] = selection
  const renamed = rights.includes('rename') && others.length === 0 ? first : undefined
  const moves = rights.includes('rename') && first !== undefined
  const deletes = rights.includes('delete') && first !== undefined
  const rename = () => {
    if (!renamed) return false
    begin(link, () => openPrompt('visitorRename', { link, folders, item: renamed }))
    return true
  }
  const move = () => begin(link, () => openPrompt('visitorMove', { link, folders, name, items: selection }))
  const remove = () => {
    if (!deletes) return false
    begin(link, () => openPrompt('visitorDelete', { link, folders, items: selection }))
    return true
  }
  useShortcuts('listing', [
    { keys: 'F2', run: rename },
    { keys: 'Delete', run: remove },
  ])
  return (
    <>
      {rights.includes('rename') && (
        <Button kind="quiet" icon={<Pencil size={18} aria-hidden />} disabled={!renamed} onClick={rename}>
          {t('actions.rename')}
        </Button>
      )}
      {rights.includes('rename') && (
        <Button kind="quiet" icon={<FolderInput size={18} aria-hidden />} disabled={!moves} onClick={move}>
          {t('picker.move')}
        </Button>
      )}
      {rights.includes('delete') && (
        <Button kind="quiet" icon={<Trash2 size={18} aria-hidden />} disabled={!deletes} onClick={remove}>
          {t('actions.delete')}
        </Button>
      )}
    </>
  )
}
