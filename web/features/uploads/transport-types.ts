import type { FilePath } from '../../../shared/path.ts'

/** The transport of the queue. @throws ApiError; status 0 for a lost connection or an abort */
export interface Transport {
  /** It sends without a session: a refusal asks for the link again. */
  isVisitor?: true
  sendFile(path: FilePath, file: File, options: SendOptions): Promise<void>
  makeFolder(path: FilePath, signal: AbortSignal): Promise<void>
  /** Removes a partial upload. @param file the file, where the page has it */
  discard(path: FilePath, file?: File): Promise<void>
  /** Whether an identical file exists on the server. */
  isSame(path: FilePath, file: File, signal: AbortSignal): Promise<boolean>
  /** Whether the server responds. */
  isReachable(): Promise<boolean>
}

export interface SendOptions {
  /** Whether an existing file may be replaced. */
  override: boolean
  /** Only one unmodified since, in milliseconds since the epoch. */
  unmodifiedSince: number | undefined
  /** Whether the server may have a partial upload. */
  begun: boolean
  /** Further headers of the call that begins a chunked upload. */
  headers?: Record<string, string>
  /** Bytes stored on the server as last known. */
  kept: number
  /** Number of connections lost without progress before. */
  attempt: number
  /** Called with the number of bytes stored on the server, for a later resume. */
  onKept(bytes: number): void
  signal: AbortSignal
  /** Bytes sent so far. */
  onProgress(sent: number): void
}
