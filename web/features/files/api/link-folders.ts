import type { ResourceItem } from '../../../../shared/api/resources.ts'
import type { FilePath } from '../../../../shared/path.ts'

/** The folders of a link, as its page has them; paths are below the link. */
export interface LinkFolders {
  /** Loads a folder. @returns its items; none for a file */
  list(folder: FilePath): Promise<readonly ResourceItem[]>
  /** The items as last loaded. */
  known(folder: FilePath): readonly ResourceItem[] | undefined
  /** Loads again what is shown. */
  reload(): Promise<unknown>
}
