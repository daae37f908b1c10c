import type { ComponentType } from 'react'
import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { t } from '../../../lib/i18n/index.ts'
import { useShortcuts } from '../../../lib/keyboard.ts'
import { useWindowClass } from '../../../lib/media.ts'
import { openPrompt } from '../../../lib/prompts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
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
  const move = () => {
    const mayCreate = rights.includes('create')
    begin(link, () => openPrompt('visitorMove', { link, folders, name, items: selection, mayCreate }))
  }
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
        <Tool icon={Pencil} label={t('actions.rename')} disabled={!renamed} onClick={rename} />
      )}
      {rights.includes('rename') && (
        <Tool icon={FolderInput} label={t('picker.move')} disabled={!moves} onClick={move} />
      )}
      {rights.includes('delete') && (
        <Tool icon={Trash2} label={t('actions.delete')} disabled={!deletes} onClick={remove} />
      )}
    </>
  )
}

interface ToolProps {
  icon: ComponentType<{ size: number; 'aria-hidden': true }>
  label: string
  disabled: boolean
  onClick: () => void
}

/** A button of the bar; on a phone without its text, so that all of them are in one row. */
function Tool({ icon: Icon, label, disabled, onClick }: ToolProps) {
  const icon = <Icon size={18} aria-hidden />
  if (useWindowClass() === 'narrow')
    return (
      <IconButton label={label} disabled={disabled} onClick={onClick}>
        {icon}
      </IconButton>
    )
  return (
    <Button kind="quiet" icon={icon} disabled={disabled} onClick={onClick}>
      {label}
    </Button>
  )
}
