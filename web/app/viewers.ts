import type { ComponentType } from 'react'
import type { FileResource } from '../../shared/api/resources.ts'
import { lazyTool } from '../lib/lazy.ts'

/** Props of every viewer. */
export interface ViewerProps {
  resource: FileResource
  /** Goes back to the listing. */
  onClose: () => void
}

/** A way to show a file. */
export interface Viewer {
  id: string
  accepts(resource: FileResource): boolean
  /** Stands in the frame of previews, with name, actions and neighbours. */
  framed: boolean
  component: ComponentType<ViewerProps>
}

const MediaViewer = lazyTool(() => import('../features/preview/media.tsx'))

/** The first that accepts a file shows it; the last one accepts everything. */
export const VIEWERS: readonly Viewer[] = [
  {
    id: 'editor',
    accepts: ({ type }) => type === 'text' || type === 'textImmutable',
    framed: false,
    component: lazyTool(() => import('../features/editor/editor.tsx')),
  },
  {
    id: 'image',
    accepts: ({ type }) => type === 'image',
    framed: true,
    component: lazyTool(() => import('../features/preview/image.tsx')),
  },
  { id: 'media', accepts: ({ type }) => type === 'video' || type === 'audio', framed: true, component: MediaViewer },
  {
    id: 'pdf',
    accepts: ({ type }) => type === 'pdf',
    framed: true,
    component: lazyTool(() => import('../features/preview/pdf.tsx')),
  },
  { id: 'none', accepts: () => true, framed: true, component: lazyTool(() => import('../features/preview/none.tsx')) },
]
