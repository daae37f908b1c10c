import { useMemo } from 'react'
import type { SizedItem } from '../../../shared/api/sizes.ts'
import { shownName } from '../../../shared/bytes.ts'
import { type FilePath, trustedChild } from '../../../shared/path.ts'
import { type ActionContext, actionById, canRun, useActionContext, useUserHere } from '../../lib/actions.ts'
import { t } from '../../lib/i18n/index.ts'
import { Ellipsis } from '../../ui/icons.ts'
import { FolderSearch } from '../../ui/late-icons.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import type { MenuEntry } from '../../ui/menu-entry.ts'
import { stubItem } from '../files/items/stub-item.ts'

export interface ItemMenuProps {
  item: SizedItem
  /** The folder that holds it. */
  folder: FilePath
  onShow: () => void
  onDelete: (remove: () => void | Promise<void>) => void
}

/** What can be done with an item that takes space. */
export function ItemMenu({ item, folder, onShow, onDelete }: ItemMenuProps) {
  const { name, isDir, bytes } = item
  const selection = useMemo(
    () => [{ ...stubItem(trustedChild(folder, name), isDir), ...(!isDir && { size: bytes }) }],
    [folder, name, isDir, bytes],
  )
  const user = useUserHere(selection)
  const context: ActionContext = { ...useActionContext(), user, selection }
  const entries: MenuEntry[] = [
    { id: 'show', label: t('search.showInFolder'), icon: <FolderSearch size={18} aria-hidden />, run: onShow },
  ]
  const remove = actionById('delete')
  if (remove?.visible(context))
    entries.push({
      id: remove.id,
      label: t(remove.labelKey),
      icon: <remove.icon size={18} aria-hidden />,
      danger: true,
      separated: true,
      disabled: !canRun(remove, context),
      run: () => onDelete(() => remove.run(context)),
    })
  return (
    <MenuButton label={t('views.menuOf', { name: shownName(name) })} entries={entries}>
      <Ellipsis size={18} aria-hidden />
    </MenuButton>
  )
}
