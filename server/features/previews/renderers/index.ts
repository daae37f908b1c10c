import { type PreviewedAs, previewedAs } from '../../../../shared/previewed.ts'
import type { Renderer } from './renderer.ts'

/** A kind of files with previews; `shared/previewed.ts` has their extensions. */
export interface RendererEntry {
  name: PreviewedAs
  /** It renders a frame that a program of the host has extracted from the file. */
  ofStill?: true
  load(): Promise<Renderer>
}

/** All renderers. Images that are not listed are sent unchanged (http-api 6). */
export const RENDERERS: readonly RendererEntry[] = [
  { name: 'image', load: () => import('./image.ts') },
  { name: 'bmp', load: () => import('./bmp.ts') },
  { name: 'heic', load: () => import('./heic.ts') },
  { name: 'camera', load: () => import('./camera.ts') },
  { name: 'pdf', load: () => import('./pdf.ts') },
  { name: 'cover', load: () => import('./cover.ts') },
  { name: 'video', ofStill: true, load: () => import('./image.ts') },
]

/** The renderer for files of this name. */
export function rendererFor(file: string): RendererEntry | undefined {
  const kind = previewedAs(file)
  return RENDERERS.find(({ name }) => name === kind)
}
