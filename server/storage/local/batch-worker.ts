import { serveCalls, transferring } from '../../lib/worker-serve.ts'
import { copyFiles, type FilesToCopy } from './copy-files.ts'
import { type FilesToRead, readFiles } from './read-files.ts'

export type BatchCalls = typeof CALLS

// Reads and copies many small files on a worker thread.
const CALLS = {
  read: (files: FilesToRead) => {
    const result = readFiles(files)
    return transferring(result, [result.bytes.buffer])
  },
  copy: (files: FilesToCopy) => copyFiles(files),
}

serveCalls(CALLS)
