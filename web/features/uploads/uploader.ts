import type { ResourceItem } from '../../../shared/api/resources.ts'
import type { FilePath } from '../../../shared/path.ts'
import type { JobFailure } from './job.ts'
import type { UploadQueue } from './queue.ts'

/** Whose uploads are shown and asked about: those of the user, or of the visitor of a link. */
export interface Uploader {
  queue: UploadQueue
  /** Loads the listing of a folder. */
  list(folder: FilePath): Promise<unknown>
  /** An entry of a folder, as last loaded. */
  entry(folder: FilePath, name: string): ResourceItem | undefined
  /** Why an upload failed, as a sentence. */
  reasonText(failure: JobFailure): string
  /** Of a visitor: whether files may be replaced. */
  mayReplace?(): boolean
}
