import type { Group } from '../command.ts'

export const GROUP: Group = {
  init: () => import('./init.ts'),
  set: () => import('./set.ts'),
  cat: () => import('./cat.ts'),
  export: () => import('./export.ts'),
  import: () => import('./import.ts'),
  check: () => import('./check.ts'),
  diff: () => import('./diff.ts'),
}
