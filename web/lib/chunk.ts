import { CHUNK_TIMEOUT } from '../../shared/limits.ts'

/** A chunk that failed to load. */
export class ChunkError extends Error {
  constructor(cause?: unknown) {
    super(cause instanceof Error ? `Loading chunk failed: ${cause.message}` : 'Loading chunk failed', { cause })
    this.name = 'ChunkError'
  }
}

const failedStyles = new Set<HTMLLinkElement>()

/** Browsers request a chunk's style sheet only once; records those that failed. */
export function watchStyleFailures(): void {
  const note = ({ target }: Event) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStyles.add(target)
  }
  document.head.addEventListener('error', note, { capture: true })
}

async function fetchFailedStyles(): Promise<void> {
  await Promise.all([...failedStyles].map(fetchAgain))
}

function fetchAgain(link: HTMLLinkElement): Promise<void> {
  const again = link.cloneNode() as HTMLLinkElement
  return new Promise((resolve, reject) => {
    again.addEventListener('load', () => resolve())
    again.addEventListener('error', () => reject(new ChunkError()))
    failedStyles.delete(link)
    link.replaceWith(again)
  })
}

const failedUrls = new Set<string>()
let retries = 0

/**
 * Browsers may cache a failed import for the lifetime of the page. A second failure of the same URL is therefore retried
 * under another one; Safari's error names no URL, so there only a reload helps.
 */
async function importUncached<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    const [url] = /https?:\S+$/.exec(error instanceof Error ? error.message : '') ?? []
    if (url === undefined) throw error
    if (!failedUrls.has(url)) {
      failedUrls.add(url)
      throw error
    }
    retries += 1
    return (await import(/* @vite-ignore */ `${url}?retry=${retries}`)) as T
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
    return await Promise.race([fetchFailedStyles().then(() => importUncached(load)), late])
  } catch (error) {
    throw error instanceof ChunkError ? error : new ChunkError(error)
  } finally {
    clearTimeout(timer)
  }
}
