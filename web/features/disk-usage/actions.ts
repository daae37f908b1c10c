import type { Action } from '../../lib/actions.ts'
import { navigate, usageUrl } from '../../lib/router.tsx'
import { LayoutDashboard } from '../../ui/late-icons.ts'

/** Opens the disk usage of the folder on the screen. */
export const sizesAction: Action = {
  id: 'sizes',
  labelKey: 'actions.sizes',
  icon: LayoutDashboard,
  group: 'folder',
  online: true,
  visible: ({ view, route, viewer }) => route.name === 'files' && (view !== undefined || viewer === undefined),
  enabled: ({ view }) => view !== undefined,
  run({ route }) {
    if (route.name === 'files') void navigate(usageUrl(route.path))
  },
}
