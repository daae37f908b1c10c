import type { NamesSetup } from '../../names/messages.ts'
import type { Confinement } from '../handle.ts'

/** What the thread that keeps an index of a folder's names is started with; `root` is the folder's real path. */
export interface FolderSetup extends NamesSetup {
  level: Confinement
  stagingKey: Uint8Array
}
