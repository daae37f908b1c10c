import type { ResourceItem } from '../../../shared/api/resources.ts'
import { encodePath, type FilePath } from '../../../shared/path.ts'
import { ApiError, apiJson } from '../../lib/api.ts'
import { sha256 } from './file-headers.ts'

/** Largest file, in bytes, compared by hash: Web Crypto has no incremental hashing. */
const MAX_HASHED = 256 * 1024 * 1024

/**
 * Whether a file is on the server already: same length and hash or, without Web Crypto, same length and modification
 * time in seconds. @throws ApiError
 */
export async function isSameContent(path: FilePath, file: File, signal: AbortSignal): Promise<boolean> {
  const there = `/api/resources${encodePath(path)}`
  const digest = file.size <= MAX_HASHED ? await sha256(file) : undefined
  if (!digest) {
    const { size, modified } = await apiJson<ResourceItem>(there, { signal })
    return size === file.size && seconds(Date.parse(modified)) === seconds(file.lastModified)
  }
  const { checksums } = await apiJson<{ checksums: { sha256: string } }>(`${there}?checksum=sha256`, { signal })
  return checksums.sha256 === [...digest].map(byte => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Whether a file of this length and exact modification time exists: the result of an upload whose response was lost.
 */
export async function hasArrived(path: FilePath, file: File, signal: AbortSignal): Promise<boolean> {
  try {
    const { size, modified } = await apiJson<ResourceItem>(`/api/resources${encodePath(path)}`, { signal })
    return size === file.size && Date.parse(modified) === file.lastModified
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0) return false
    throw error
  }
}

const seconds = (milliseconds: number) => Math.floor(milliseconds / 1000)
