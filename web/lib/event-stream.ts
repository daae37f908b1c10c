import { api } from './api.ts'

/** Milliseconds until the first byte after which something on the way is taken to keep the stream back. */
const FIRST_BYTE = 5000

/** The fields of one event (HTML standard, section 9.2.6). */
export interface StreamEvent {
  name: string
  data: string
}

export interface StreamListener {
  /** The first bytes have come: nothing on the way keeps the stream back. */
  onOpen(): void
  onEvent(name: string, data: string): void
}

/**
 * Reads server-sent events with a token in the header, which the browser's own reader cannot send.
 * @returns false when nothing came: whatever stands between collects answers before it passes them on
 * @throws ApiError
 */
export async function readEvents(
  path: string,
  signal: AbortSignal,
  { onOpen, onEvent }: StreamListener,
): Promise<boolean> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), FIRST_BYTE)
  const parse = eventParser(({ name, data }) => onEvent(name, data))
  let began = false
  try {
    const { body } = await api(path, { signal: AbortSignal.any([signal, late.signal]) })
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      if (!began) onOpen()
      began = true
      clearTimeout(timer)
      parse(piece.value)
    }
    return began
  } catch (error) {
    if (late.signal.aborted && !began) return false
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** Takes a stream's text as it comes, and tells of each event that is complete. */
export function eventParser(onEvent: (event: StreamEvent) => void): (text: string) => void {
  let rest = ''
  let event: StreamEvent = { name: 'message', data: '' }
  const line = (text: string) => {
    if (text === '') {
      if (event.data !== '') onEvent({ ...event, data: event.data.slice(0, -1) })
      event = { name: 'message', data: '' }
    }
    const [, field, value = ''] = /^([^:]+): ?(.*)$/s.exec(text) ?? []
    if (field === 'event') event.name = value
    if (field === 'data') event.data += `${value}\n`
  }
  return text => {
    const lines = (rest + text).split(/\r\n|\n/)
    rest = lines.pop() ?? ''
    for (const each of lines) line(each)
  }
}
