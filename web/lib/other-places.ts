import type { ComponentType } from 'react'
import type { ResourceItem } from '../../shared/api/resources.ts'
import type { TokenUser } from '../../shared/api/users.ts'
import type { FilePath } from '../../shared/path.ts'
import type { Route } from './router.tsx'
import { createStore } from './store.ts'

/** A place in the sidebar besides the user's own files. */
export interface PlaceEntry {
  url: string
  icon: ComponentType<{ size?: number | string; 'aria-hidden'?: boolean }>
  label: () => string
  /** The folder into which items can be dropped. */
  drop?: string
}

/** What others share with the user, and folders of other roots, as far as the first page needs to know them. */
export interface OtherPlaces {
  entries: readonly PlaceEntry[]
  /** The address of the folder that holds what others share. */
  hall: string | undefined
  /** The user with what they may do with these items; without any, at the place of the route. */
  userAt(user: TokenUser, route: Route, items?: readonly ResourceItem[]): TokenUser
  mayCreateAt(route: Route): boolean
  /** Whether a path lies in a folder of another root. */
  isInMount(path: FilePath): boolean
  /** Whether the user makes share links in one, whatever they may do with their own files. */
  sharesLinks: boolean
  /** Whether one of these items can have another name, if any, but no other folder. */
  stay(items: readonly ResourceItem[]): boolean
  /** Whether what is deleted at these paths goes to the trash, as far as the disk allows it. */
  hasTrash(items: readonly ResourceItem[]): boolean
}

/** Set once there are any. */
export const placesStore = createStore<OtherPlaces | undefined>(undefined)
