import { type Http, mayPass, pause } from './http.ts'
import { linesOf } from './lines.ts'
import type { Job } from './types.gen.ts'

/** One event of the stream. */
export type FiligreeEvent =
  | { name: 'job'; data: Job }
  | { name: 'gone' | 'change'; data: { id: string } }
  | { name: 'folder' | 'lock'; data: { path: string } }
  | { name: 'trash'; data: unknown }
  /** The connection was interrupted: what happened in between is unknown. */
  | { name: 'reconnected'; data: undefined }

export interface EventOptions {
  /** Also announces what changes in this folder. */
  folder?: string
  /** Also announces changes of other users. */
  changes?: boolean
  signal?: AbortSignal
}

/** Milliseconds until the first and the last try to connect again. */
const SOON = 500
const LATE = 30_000

/** Events until the signal fires. It connects again after an interruption. @throws FiligreeError when access ends */
export async function* follow(http: Http, { folder, changes, signal }: EventOptions): AsyncGenerator<FiligreeEvent> {
  let wait = SOON
  let isFirst = true
  while (!signal?.aborted) {
    try {
      const call = { query: { folder, changes }, accept: 'text/event-stream', signal }
      const response = await http.call('/api/events', call)
      wait = SOON
      if (!isFirst) yield { name: 'reconnected', data: undefined }
      isFirst = false
      yield* eventsIn(linesOf(response))
    } catch (error) {
      if (signal?.aborted) return
      if (!isBroken(error) && !mayPass(error)) throw error
    }
    await pause(wait, signal).catch(() => undefined)
    wait = Math.min(wait * 2, LATE)
  }
}

/** A stream that ends in the middle is an error of the platform's, not of the server's. */
const isBroken = (error: unknown) => error instanceof Error && /terminated|network|socket|aborted/i.test(error.message)

async function* eventsIn(lines: AsyncIterable<string>): AsyncGenerator<FiligreeEvent> {
  let name = ''
  let data = ''
  for await (const line of lines) {
    if (line.startsWith('event: ')) name = line.slice('event: '.length)
    else if (line.startsWith('data: ')) data += line.slice('data: '.length)
    else if (line === '' && name !== '') {
      yield { name, data: JSON.parse(data) } as FiligreeEvent
      name = ''
      data = ''
    }
  }
}
