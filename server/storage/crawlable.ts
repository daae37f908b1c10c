import type { FilePath } from '../../shared/path.ts'
import type { Known } from './found-names.ts'
import type { Confinement } from './local/handle.ts'

/** What a crawler of a root needs, as plain data that can be sent to a thread. */
export type Crawlable = CrawlableFolder | CrawlableBucket

export interface CrawlableFolder {
  /** Its real path. */
  folder: string
  level: Confinement
  stagingKey: Uint8Array
}

export interface CrawlableBucket {
  /** Its address. */
  bucket: string
  /** The same text for every server of the bucket, however they spell its address. */
  place: string
  credentials: { accessKey: string; secretKey: string; sessionToken: string }
}

/** Reads the keys of a bucket. Every function throws `AppError`. */
export interface KeyReader {
  /** Keys below a folder in order, across all subfolders. */
  page(folder: FilePath, next: string | undefined): Promise<KeyPage>
  /** The name that a part of a key stands for; `undefined` where no path can contain it. */
  nameIn(part: string): string | undefined
  /** What is at a path; `undefined` if nothing is. */
  known(path: FilePath): Promise<Known | undefined>
  /** Cancels all queries in progress. */
  close(): void
}

export interface KeyPage {
  objects: { /** What follows the folder's own key. */ rest: string; size: number }[]
  /** Continuation token. */
  next: string | undefined
}
