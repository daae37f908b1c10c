import type { CopyOrder } from '../driver.ts'

/** Files to copy. Both roots are real paths. */
export interface BatchCopyRequest {
  id: number
  root: string
  tree: string
  files: readonly CopyOrder[]
}

/** Whether each file was copied. */
export interface BatchCopyResponse {
  id: number
  done: boolean[]
}
