import { type Action, type ActionContext, mayCreate } from '../../lib/actions.ts'
import { isCoarse } from '../../lib/media.ts'
import { openPrompt } from '../../lib/prompts.ts'
import { Upload } from '../../ui/icons.ts'
import { FolderUp } from '../../ui/late-icons.ts'
import { chooseAndLaunch } from './launch.ts'

const inFolder = ({ view }: ActionContext) => view !== undefined

const upload: Action = {
  id: 'upload',
  labelKey: 'actions.upload',
  icon: Upload,
  shortcut: 'Alt+U',
  group: 'create',
  visible: mayCreate,
  enabled: inFolder,
  run({ route }) {
    if (route.name !== 'files') return
    // Phones have files, but no folders to choose.
    if (isCoarse()) void chooseAndLaunch(route.path, 'files')
    else openPrompt('upload', { folder: route.path })
  },
}

const uploadFolder: Action = {
  id: 'uploadFolder',
  labelKey: 'actions.uploadFolder',
  icon: FolderUp,
  group: 'create',
  visible: mayCreate,
  enabled: inFolder,
  run: ({ route }) => (route.name === 'files' ? chooseAndLaunch(route.path, 'folder') : undefined),
}

/** The upload actions. */
export const uploadActions: readonly Action[] = [upload, uploadFolder]
