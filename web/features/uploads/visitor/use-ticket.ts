import { useEffect } from 'react'
import type { UploadQueue } from '../queue.ts'

/** Milliseconds between two renewals of a ticket, which lasts an hour. */
const RENEWED_EVERY = 20 * 60_000

interface Ticketed {
  queue: UploadQueue
  /** Whom the next call of the queue presents. */
  visitor: { ticket: string | undefined }
  /** Of a link with a password. */
  ticket: string | undefined
  /** Opens the link again: a new ticket, or the question for the password. */
  onReload: () => Promise<unknown>
}

/** Continues the uploads of a link with a password: a ticket is renewed while they run, and asked for once it is refused. */
export function useTicketOf({ queue, visitor, ticket, onReload }: Ticketed, running: boolean, paused: boolean): void {
  useEffect(() => {
    visitor.ticket = ticket
    if (queue.get().paused === 'session') queue.resume()
  }, [visitor, queue, ticket])
  // The password has changed, or the ticket has expired: the page asks for it.
  useEffect(() => {
    if (paused) void onReload()
  }, [paused, onReload])
  useEffect(() => {
    if (!running || ticket === undefined) return
    const timer = setInterval(() => void onReload(), RENEWED_EVERY)
    return () => clearInterval(timer)
  }, [running, ticket, onReload])
}
