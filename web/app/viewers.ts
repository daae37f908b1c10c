import type { ComponentType } from 'react'
import type { FileResource } from '../../shared/api/resources.ts'
import { lazyPart } from '../lib/lazy.ts'

/** Props of every viewer. */
export interface ViewerProps {
  resource: FileResource
}

/** A way to show a file. */
export interface Viewer {
  id: string
  accepts(resource: FileResource): boolean
  component: ComponentType<ViewerProps>
}

/** The first that accepts a file shows it; the last one accepts everything. */
export const VIEWERS: readonly Viewer[] = [
  { id: 'none', accepts: () => true, component: lazyPart(() => import('../features/preview/none.tsx')) },
]
