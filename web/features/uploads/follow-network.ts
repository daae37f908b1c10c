import type { UploadQueue } from './queue.ts'

/** Pauses a queue while the browser has no connection. */
export function followNetwork(queue: UploadQueue): void {
  addEventListener('offline', () => {
    if (queue.get().jobs.length > 0) queue.pauseAll('offline')
  })
  addEventListener('online', () => {
    if (queue.get().paused === 'offline') queue.resume()
  })
}
