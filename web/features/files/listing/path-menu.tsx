import { useMemo } from 'react'
import type { FilePath } from '../../../../shared/path.ts'
import { type ActionContext, ActionScope, useActionContext, useUserHere } from '../../../lib/actions.ts'
import { filesUrl, navigate } from '../../../lib/router.tsx'
import { hydrateItems } from '../items/hydrate-items.ts'
import { stubItem } from '../items/stub-item.ts'
import ContextMenu, { type ContextMenuProps } from './context-menu.tsx'

interface PathMenuProps extends Omit<ContextMenuProps, 'on'> {
  path: FilePath
}

/** The context menu of a folder that is no row of the listing. */
export default function PathMenu({ path, ...menu }: PathMenuProps) {
  const { route, offline = false } = useActionContext()
  const selection = useMemo(() => hydrateItems([stubItem(path, true)]), [path])
  const user = useUserHere(selection)
  const context: ActionContext = {
    ...{ user, route, offline, selection },
    folder: undefined,
    focused: selection[0],
    view: {
      open: () => void navigate(filesUrl(path, true)),
      selectAll: () => undefined,
      clearSelection: () => undefined,
      focus: () => menu.returnFocus()?.focus(),
      refresh: () => undefined,
    },
  }
  return (
    <ActionScope value={context}>
      <ContextMenu on="selection" {...menu} />
    </ActionScope>
  )
}
