import type { Action } from '../../lib/actions.ts'
import { pageConfig } from '../../lib/config.ts'
import { navigate, trashUrl } from '../../lib/router.tsx'
import { Trash2 } from '../../ui/icons.ts'

/** Opens the trash. */
export const trashAction: Action = {
  id: 'trash',
  labelKey: 'nav.trash',
  icon: Trash2,
  scope: 'global',
  visible: ({ user }) => user !== null && pageConfig.Trash,
  run: ({ route }) => void navigate(trashUrl(route)),
}
