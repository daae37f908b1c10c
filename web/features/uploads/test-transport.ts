import { type FilePath, parsePath } from '../../../shared/path.ts'
import { ApiError } from '../../lib/api.ts'
import type { NewJob } from './queue.ts'
import type { SendOptions, Transport } from './transport-types.ts'

interface Sending extends SendOptions {
  path: FilePath
  finish(): void
  fail(status: number, code?: string): void
}

/** A server whose every response the test controls. */
export function scriptedTransport() {
  const sending: Sending[] = []
  const folders: string[] = []
  const discarded: string[] = []
  const server = { reachable: true, same: false }
  const transport: Transport = {
    isReachable: async () => server.reachable,
    isSame: async () => server.same,
    discard: async path => void discarded.push(path),
    makeFolder: async path => void folders.push(path),
    sendFile: (path, _file, options) =>
      new Promise((resolve, reject) => {
        const remove = () => void sending.splice(sending.indexOf(call), 1)
        const call: Sending = {
          path,
          ...options,
          finish: () => {
            remove()
            resolve()
          },
          fail: (status, code = '') => {
            remove()
            reject(new ApiError(status, `${status}`, code))
          },
        }
        options.signal.addEventListener('abort', () => call.fail(0))
        sending.push(call)
      }),
  }
  return { transport, sending, folders, discarded, server }
}

export function fileJob(path: string, size = 10): NewJob {
  return { path: parsePath(path), file: new File(['x'.repeat(size)], 'x'), existing: undefined }
}
export const jobs = (count: number) => Array.from({ length: count }, (_, index) => fileJob(`/f${index}`))
