/** The first response of a worker to one message. Rejects when the worker fails, or when aborted. */
export function askWorker<T>(
  worker: Worker,
  message: unknown,
  signal: AbortSignal,
  transfer: Transferable[] = [],
): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('no answer'))
    worker.addEventListener('message', ({ data }: MessageEvent<T>) => resolve(data))
    worker.addEventListener('error', fail)
    signal.addEventListener('abort', fail)
    worker.postMessage(message, transfer)
  })
}
