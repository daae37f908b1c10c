import type { FilePath } from '../../../shared/path.ts'

/** What the queue needs to send something. @throws ApiError; status 0 for a lost connection or an abort */
export interface Transport {
  sendFile(path: FilePath, file: File, options: SendOptions): Promise<void>
  makeFolder(path: FilePath, signal: AbortSignal): Promise<void>
  /** Removes what has come of an upload in pieces. */
  discard(path: FilePath): Promise<void>
  /** Whether a file is there already, byte by byte. */
  isSame(path: FilePath, file: File, signal: AbortSignal): Promise<boolean>
  /** Whether the server answers. */
  isReachable(): Promise<boolean>
}

export interface SendOptions {
  /** Whether an existing file may be replaced. */
  override: boolean
  /** Only one that was not changed after this, in milliseconds since the epoch. */
  unmodifiedSince: number | undefined
  /** Whether the server may have a part of it already. */
  begun: boolean
  /** Bytes that the server kept of it when that was last known. */
  kept: number
  /** How many times a connection broke before without a byte getting through. */
  attempt: number
  /** Told how many bytes the server keeps, so that it can be gone on with. */
  onKept(bytes: number): void
  signal: AbortSignal
  /** Bytes sent so far. */
  onProgress(sent: number): void
}
