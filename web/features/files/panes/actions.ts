import { parsePath } from '../../../../shared/path.ts'
import type { Action } from '../../../lib/actions.ts'
import { hasRoomForPanel } from '../../../lib/media.ts'
import { Columns2 } from '../../../ui/late-icons.ts'
import { toggleSecondPane } from './store.ts'

/** Opens and closes the second pane, at the folder of the first. */
export const secondPane: Action = {
  id: 'secondPane',
  labelKey: 'views.secondPane',
  icon: Columns2,
  shortcut: 'F3',
  group: 'view',
  visible: ctx => ctx.view !== undefined && hasRoomForPanel(),
  run: ({ folder }) => toggleSecondPane(folder && parsePath(folder.path)),
}
