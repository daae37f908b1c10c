import { createParser } from 'eventsource-parser'
import { api } from './api.ts'

/** Milliseconds without a first byte after which a proxy is assumed to buffer the stream. */
const FIRST_BYTE = 5000

export interface StreamListener {
  /** Called at the first bytes: no proxy buffers the stream. */
  onOpen(): void
  onEvent(name: string, data: string): void
}

/**
 * Reads server-sent events with a token in the header, which `EventSource` cannot send.
 * @returns false when nothing arrived: a proxy buffers responses
 * @throws ApiError
 */
export async function readEvents(
  path: string,
  signal: AbortSignal,
  { onOpen, onEvent }: StreamListener,
): Promise<boolean> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), FIRST_BYTE)
  const parser = createParser({ onEvent: ({ event = 'message', data }) => onEvent(event, data) })
  let began = false
  try {
    const { body } = await api(path, { signal: AbortSignal.any([signal, late.signal]) })
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      if (!began) onOpen()
      began = true
      clearTimeout(timer)
      parser.feed(piece.value)
    }
    return began
  } catch (error) {
    if (late.signal.aborted && !began) return false
    throw error
  } finally {
    clearTimeout(timer)
  }
}
