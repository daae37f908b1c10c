import type { FileResource } from '../../../shared/api/resources.ts'
import { useUserHere } from '../../lib/actions.ts'
import { useViewerCommands } from '../../lib/viewer-commands.ts'
import { downloadFiles } from '../files/api/download.ts'
import type { EditorCommands } from './actions.ts'
import type { Finding } from './code/use-finding.ts'
import { toggleWrap } from './preferences.ts'

interface CommandsOptions {
  resource: FileResource
  finding: Finding
  /** Where the text is editable. */
  save: (() => Promise<boolean>) | undefined
  onClose: () => void
}

/** The commands of the text on the screen, for keys and menus alike. */
export type TextCommands = EditorCommands & Required<Pick<EditorCommands, 'wrap' | 'leave'>>

export function useTextCommands({ resource, finding, save, onClose }: CommandsOptions): TextCommands {
  const user = useUserHere()
  const commands: TextCommands = {
    ...(save && { save: () => void save() }),
    ...(finding.ready && { find: finding.find, goToLine: finding.beginGoTo }),
    ...(user?.perm.download && { download: () => void downloadFiles([resource]) }),
    wrap: toggleWrap,
    leave: onClose,
  }
  useViewerCommands(commands)
  return commands
}
