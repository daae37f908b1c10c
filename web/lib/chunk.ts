import { CHUNK_TIMEOUT } from '../../shared/limits.ts'

/** A chunk that failed to load. */
export class ChunkError extends Error {
  constructor(cause?: unknown) {
    super(cause instanceof Error ? `Loading chunk failed: ${cause.message}` : 'Loading chunk failed', { cause })
    this.name = 'ChunkError'
  }
}

/**
 * Loads a chunk of the application, at most `timeout` ms.
 * @throws ChunkError
 */
export async function loadChunk<T>(load: () => Promise<T>, timeout = CHUNK_TIMEOUT): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkError()), timeout)
  })
  try {
    return await Promise.race([load(), late])
  } catch (error) {
    throw error instanceof ChunkError ? error : new ChunkError(error)
  } finally {
    clearTimeout(timer)
  }
}
