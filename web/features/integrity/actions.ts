import type { Action } from '../../lib/actions.ts'
import { loadSettings } from '../../lib/lazy.ts'
import { ListChecks } from '../../ui/late-icons.ts'

/** Reads the selected items again, and compares them with their recorded checksums. */
export const verifyAction: Action = {
  id: 'verify',
  labelKey: 'actions.verify',
  icon: ListChecks,
  group: 'selection',
  online: true,
  visible: ({ user, selection, viewer }) =>
    viewer === undefined && selection.length > 0 && user?.perm.download === true,
  run: async ({ selection }) => (await loadSettings(() => import('./verify.ts'))).verifyItems(selection),
}
