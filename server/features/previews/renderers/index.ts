import type { Sharp } from 'sharp'
import { extensionOf } from '../../../../shared/path.ts'

/** Turns a file's bytes into a picture. Loaded and run in a process of its own only. */
export interface Renderer {
  /** @throws TooLarge, or anything else for bytes that are no such picture */
  open(source: Buffer): Sharp
}

/** A kind of files that pictures can be made of. */
export interface RendererEntry {
  name: string
  /** In lower case, with their dots. */
  extensions: readonly string[]
  load(): Promise<Renderer>
}

/** All of them, a line each. Images that are not listed are sent as they are (wire contract 6). */
export const RENDERERS: readonly RendererEntry[] = [
  { name: 'image', extensions: extensions('jpg jpeg jpe png webp avif tif tiff'), load: () => import('./image.ts') },
  { name: 'bmp', extensions: extensions('bmp'), load: () => import('./bmp.ts') },
]

/** Who makes pictures of a file of this name. */
export function rendererFor(name: string): RendererEntry | undefined {
  const extension = extensionOf(name).toLowerCase()
  return RENDERERS.find(({ extensions }) => extensions.includes(extension))
}

function extensions(list: string): string[] {
  return list.split(' ').map(extension => `.${extension}`)
}
