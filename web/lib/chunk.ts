import { CHUNK_TIMEOUT } from '../../shared/limits.ts'

/** A chunk that failed to load. */
export class ChunkError extends Error {
  constructor(cause?: unknown) {
    super(cause instanceof Error ? `Loading chunk failed: ${cause.message}` : 'Loading chunk failed', { cause })
    this.name = 'ChunkError'
  }
}

const lostStyles = new Set<HTMLLinkElement>()

/** Browsers request a chunk's style sheet only once; records those that failed. */
export function noteLostStyles(): void {
  const note = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lostStyles.add(target)
  }
  document.head.addEventListener('error', note, { capture: true })
}

async function fetchLostStyles(): Promise<void> {
  await Promise.all([...lostStyles].map(fetchAgain))
}

function fetchAgain(link: HTMLLinkElement): Promise<void> {
  const again = link.cloneNode() as HTMLLinkElement
  return new Promise((resolve, reject) => {
    again.addEventListener('load', () => resolve())
    again.addEventListener('error', () => reject(new ChunkError()))
    lostStyles.delete(link)
    link.replaceWith(again)
  })
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
    return await Promise.race([fetchLostStyles().then(load), late])
  } catch (error) {
    throw error instanceof ChunkError ? error : new ChunkError(error)
  } finally {
    clearTimeout(timer)
  }
}
