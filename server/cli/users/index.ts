import type { Group } from '../command.ts'

export const GROUP: Group = {
  add: () => import('./add.ts'),
  ls: () => import('./ls.ts'),
  find: () => import('./find.ts'),
  update: () => import('./update.ts'),
  rm: () => import('./rm.ts'),
  export: () => import('./export.ts'),
  import: () => import('./import.ts'),
}
