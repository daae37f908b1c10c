import type { FileResource } from '../../shared/api/resources.ts'
import { documentFormat } from '../../shared/documents.ts'
import { extensionOf } from '../../shared/path.ts'
import { isArchive, isMarkdown, isTable } from '../features/files/items/names.ts'
import type { RelatedUrls } from '../features/files/items/related-urls.ts'
import type { Paper } from '../features/preview/arrows.tsx'
import { pageConfig } from '../lib/config.ts'
import { type LazyPart, lazyTool } from '../lib/lazy.ts'
import type { ShownAs } from '../lib/router.tsx'

/** Props of every viewer. */
export interface ViewerProps {
  resource: FileResource
  /** Returns to the listing. */
  onClose: () => void
}

/** A viewer. */
export interface Viewer {
  id: string
  /**
   * @param as the requested view of the file, if any
   */
  accepts(resource: FileResource, as: ShownAs | undefined): boolean
  /** Rendered in the preview shell, with name, actions and neighbours. */
  framed: boolean
  /** What a document lies on in the shell, which is dark in both themes; none for images, videos and sounds. */
  paper?: Paper
  component: LazyPart<ViewerProps>
}

/** A viewer that also shows the files of a public share. */
interface SharingViewer extends Viewer {
  component: LazyPart<{ resource: FileResource; source?: string; relatedUrls?: RelatedUrls }>
}

const isNamed = ({ name }: FileResource, extensions: RegExp) => extensions.test(extensionOf(name))

const DOCUMENTS: readonly SharingViewer[] = [
  {
    id: 'table',
    accepts: ({ name }, as) => isTable(name) && as !== 'text',
    framed: true,
    paper: 'sheet',
    component: lazyTool(() => import('../features/preview/table/viewer.tsx')),
  },
  {
    id: 'workbook',
    accepts: (file, as) => as === undefined && isNamed(file, /^\.xls[xm]$/i),
    framed: true,
    paper: 'sheet',
    component: lazyTool(() => import('../features/preview/workbook/viewer.tsx')),
  },
  {
    id: 'word',
    accepts: (file, as) => as === undefined && isNamed(file, /^\.doc[xm]$/i),
    framed: true,
    paper: 'pages',
    component: lazyTool(() => import('../features/preview/word/viewer.tsx')),
  },
  {
    id: 'paper',
    accepts: ({ name }, as) =>
      pageConfig.Documents && (as === undefined || as === 'paper') && documentFormat(name) !== undefined,
    framed: true,
    paper: 'pages',
    component: lazyTool(() => import('../features/preview/paper/viewer.tsx')),
  },
  {
    id: 'book',
    accepts: (file, as) => as === undefined && isNamed(file, /^\.epub$/i),
    framed: true,
    paper: 'sheet',
    component: lazyTool(() => import('../features/preview/book/viewer.tsx')),
  },
  {
    id: 'pdf',
    accepts: ({ type }, as) => as === undefined && type === 'pdf',
    framed: true,
    paper: 'pages',
    component: lazyTool(() => import('../features/preview/pdf/viewer.tsx')),
  },
]

const MEDIA: readonly SharingViewer[] = [
  {
    id: 'image',
    accepts: ({ type }) => type === 'image',
    framed: true,
    component: lazyTool(() => import('../features/preview/image.tsx')),
  },
  {
    id: 'media',
    accepts: ({ type }) => type === 'video' || type === 'audio',
    framed: true,
    component: lazyTool(() => import('../features/preview/media.tsx')),
  },
]

const SHARED_MARKDOWN = {
  paper: 'sheet',
  component: lazyTool(() => import('../features/editor/markdown/shared.tsx')),
} as const

/** The first that accepts a file shows it; the last one accepts everything. */
export const VIEWERS: readonly Viewer[] = [
  {
    id: 'hex',
    accepts: (_, as) => as === 'hex',
    framed: true,
    paper: 'sheet',
    component: lazyTool(() => import('../features/preview/hex/viewer.tsx')),
  },
  {
    id: 'office',
    accepts: ({ name }, as) => pageConfig.Office && as === 'office' && documentFormat(name) !== undefined,
    framed: true,
    paper: 'sheet',
    component: lazyTool(() => import('../features/preview/office/viewer.tsx')),
  },
  ...DOCUMENTS,
  {
    id: 'archive',
    accepts: ({ name }, as) => isArchive(name) && as === undefined,
    framed: true,
    paper: 'sheet',
    component: lazyTool(() => import('../features/preview/archive.tsx')),
  },
  {
    id: 'playlist',
    accepts: (file, as) => as === undefined && isNamed(file, /^\.m3u8?$/i),
    framed: true,
    paper: 'sheet',
    component: lazyTool(() => import('../features/preview/playlist/viewer.tsx')),
  },
  {
    id: 'reading',
    accepts: ({ type }, as) => as === undefined && (type === 'text' || type === 'textImmutable'),
    framed: true,
    paper: 'sheet',
    component: lazyTool(() => import('../features/editor/reading/viewer.tsx')),
  },
  {
    id: 'editor',
    accepts: ({ type }, as) => as === 'text' || type === 'text' || type === 'textImmutable',
    framed: false,
    component: lazyTool(() => import('../features/editor/editor.tsx')),
  },
  ...MEDIA,
  {
    id: 'none',
    accepts: () => true,
    framed: true,
    component: lazyTool(() => import('../features/preview/unsupported.tsx')),
  },
]

/** The viewer of a shared file; none for plain text. */
export function sharedViewer(file: FileResource) {
  if (isMarkdown(file.name)) return SHARED_MARKDOWN
  return [...DOCUMENTS, ...MEDIA].find(viewer => viewer.accepts(file, undefined))
}
