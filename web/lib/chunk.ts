import { CHUNK_TIMEOUT } from '../../shared/limits.ts'

/** A part of the program that did not arrive (specification section 8). */
export class ChunkError extends Error {
  constructor(cause?: unknown) {
    super('Loading chunk failed', { cause })
    this.name = 'ChunkError'
  }
}

/**
 * Loads a part of the program within the time limit of specification section 9.
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
