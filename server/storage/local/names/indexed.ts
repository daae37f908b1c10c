import { Worker } from 'node:worker_threads'
import { BUSY_THREAD } from '../../../worker-memory.ts'
import type { IndexedPlace } from '../../names/messages.ts'
import type { FolderSetup } from './setup.ts'

/** A folder as the place of a name index. @param own settings of its thread beyond `NamesSetup` */
export function indexedFolder(own: Pick<FolderSetup, 'root' | 'level' | 'stagingKey'>): IndexedPlace {
  return {
    root: own.root,
    hasTexts: true,
    start: setup =>
      new Worker(new URL('./worker.ts', import.meta.url), { workerData: { ...setup, ...own }, ...BUSY_THREAD }),
  }
}
