import type { ComponentType } from 'react'
import type { TokenUser } from '../../shared/api/users.ts'
import type { Route } from './router.tsx'
import { createStore } from './store.ts'

/** What others share with the user, as far as the first page needs to know it. */
export interface SharedWithMe {
  /** The address of the folder that holds it. */
  url: string
  icon: ComponentType<{ size?: number | string; 'aria-hidden'?: boolean }>
  label: () => string
  /** The user with what they may do at a place. */
  userAt(user: TokenUser, route: Route): TokenUser
  mayCreateAt(route: Route): boolean
}

/** Set once others share something with the user. */
export const sharedStore = createStore<SharedWithMe | undefined>(undefined)
