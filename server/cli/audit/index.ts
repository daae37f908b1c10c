import type { Group } from '../command.ts'

export const GROUP: Group = {
  verify: () => import('./verify.ts'),
  export: () => import('./export.ts'),
}
