import { createHash } from 'node:crypto'
import type { BrandingImageName } from '../../../shared/api/branding.ts'
import type { Branding } from '../../../shared/api/settings.ts'
import type { BrandingFile } from '../../files/branding.ts'
import { accentRule, frameColour } from './accent.ts'
import { type ImageFacts, listImages } from './images.store.ts'
import type { SendBrandingDeps } from './send.ts'

/** The appearance of pages by the branding settings. */
export interface Appearance {
  /** Colour of the browser frame, as `#rrggbb`. */
  frameColour: string
  /** A CSS rule for the accent; `''` for the default colours. */
  accentRule: string
  /** The branding files that exist. */
  files: ReadonlySet<BrandingFile>
  /** What administrators uploaded; it precedes the files. */
  uploaded: ReadonlyMap<BrandingImageName, ImageFacts>
  /** Part of the URLs of those files, which browsers cache: it changes whenever any of them does. */
  version: string
}

/** The appearance that the current settings ask for. */
export async function appearanceOf(
  branding: Branding,
  { db, branding: folder }: SendBrandingDeps,
): Promise<Appearance> {
  const [versions, images] = await Promise.all([folder.versions(branding.files), listImages(db)])
  return {
    frameColour: frameColour(branding.color),
    accentRule: accentRule(branding.color),
    files: new Set(versions.keys()),
    uploaded: new Map(images.map(image => [image.name, image])),
    version: createHash('sha256')
      .update(JSON.stringify([...versions]))
      .digest('hex')
      .slice(0, 12),
  }
}
