import type { FolderTotals as TreeSize, UsageAnswer } from '../../../../shared/api/resources.ts'
import { encodePath } from '../../../../shared/path.ts'
import { api, apiJson } from '../../../lib/api.ts'

export type { FolderTotals as TreeSize } from '../../../../shared/api/resources.ts'

/**
 * The size of a folder's content, if the server has it without counting: `GET /api/usage/{folder}?below=true`. @throws
 * ApiError
 */
export async function fetchKnownSize(path: string, signal: AbortSignal): Promise<TreeSize | undefined> {
  const folder = encodePath(path).replace(/\/$/, '')
  return (await apiJson<UsageAnswer>(`/api/usage${folder}/?below=true`, { signal })).below
}

const EMPTY: TreeSize = Object.freeze({ bytes: 0, files: 0, folders: 0 })

/**
 * Sums up `GET /api/resources/recursive/{folder}` (http-api 3.7) as it streams in, so that memory does not grow with
 * the tree. @param onProgress receives the totals so far @throws ApiError
 */
export async function fetchTreeSize(
  path: string,
  signal: AbortSignal,
  onProgress: (sofar: TreeSize) => void,
): Promise<TreeSize> {
  const headers = { Accept: 'application/x-ndjson' }
  const response = await api(`/api/resources/recursive${encodePath(path)}`, { headers, signal })
  const counter = new TreeCounter()
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    counter.take(piece.value)
    onProgress(counter.size)
  }
  return counter.size
}

/** A quote inside a JSON string is escaped, so these matches can only be field names. */
const FIELD = /"size":(\d+)|"isDir":(true|false)|"unread":(\d+)/g
/** Longer than any match of `FIELD`. */
const TAIL = 40

/** Counts the entries of a flat list that arrives in chunks, as one array or as NDJSON. */
export class TreeCounter {
  size: TreeSize = EMPTY
  #rest = ''
  #bytes: number | undefined
  #isDir: boolean | undefined

  take(piece: string): void {
    const text = this.#rest + piece
    let end = 0
    for (const match of text.matchAll(FIELD)) {
      // A number at the very end may continue in the next chunk.
      if (match.index + match[0].length === text.length) break
      end = match.index + match[0].length
      if (match[3] !== undefined) this.size = { ...this.size, unread: Number(match[3]) }
      else if (match[1] !== undefined) this.#bytes = Number(match[1])
      else this.#isDir = match[2] === 'true'
      this.#countEntry()
    }
    this.#rest = text.slice(Math.max(end, text.length - TAIL))
  }

  /** Once both fields of an entry are parsed. */
  #countEntry(): void {
    if (this.#bytes === undefined || this.#isDir === undefined) return
    const { size } = this
    this.size = this.#isDir
      ? { ...size, folders: size.folders + 1 }
      : { ...size, bytes: size.bytes + this.#bytes, files: size.files + 1 }
    this.#bytes = undefined
    this.#isDir = undefined
  }
}
