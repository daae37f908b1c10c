import { type PreviewedAs, previewedAs } from '../../../../shared/previewed.ts'
import type { Renderer } from './renderer.ts'

/** A kind of files that pictures can be made of; `shared/previewed.ts` has their extensions. */
export interface RendererEntry {
  name: PreviewedAs
  /** It makes the picture of a still that a program of the host has taken out of the file. */
  ofStill?: true
  load(): Promise<Renderer>
}

/** All of them, a line each. Images that are not listed are sent as they are (http-api 6). */
export const RENDERERS: readonly RendererEntry[] = [
  { name: 'image', load: () => import('./image.ts') },
  { name: 'bmp', load: () => import('./bmp.ts') },
  { name: 'heic', load: () => import('./heic.ts') },
  { name: 'camera', load: () => import('./camera.ts') },
  { name: 'pdf', load: () => import('./pdf.ts') },
  { name: 'cover', load: () => import('./cover.ts') },
  { name: 'film', ofStill: true, load: () => import('./image.ts') },
]

/** Who makes pictures of a file of this name. */
export function rendererFor(file: string): RendererEntry | undefined {
  const kind = previewedAs(file)
  return RENDERERS.find(({ name }) => name === kind)
}
