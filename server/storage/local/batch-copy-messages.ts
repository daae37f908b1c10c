import type { CopyOrder } from '../driver.ts'

/** Files to be copied. Both roots are real paths. */
export interface FillAsk {
  id: number
  root: string
  tree: string
  files: readonly CopyOrder[]
}

/** Whether each of the files is there now. */
export interface FillAnswer {
  id: number
  done: boolean[]
}
