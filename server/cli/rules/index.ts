import type { Group } from '../command.ts'

export const GROUP: Group = {
  ls: () => import('./ls.ts'),
  add: () => import('./add.ts'),
  rm: () => import('./rm.ts'),
}
