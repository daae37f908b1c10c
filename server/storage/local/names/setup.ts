import type { NamesSetup } from '../../names/messages.ts'
import type { Confinement } from '../handle.ts'

/** Start-up data of the thread that indexes a folder; `root` is the folder's real path. */
export interface FolderSetup extends NamesSetup {
  level: Confinement
  stagingKey: Uint8Array
}
