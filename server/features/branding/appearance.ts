import { createHash } from 'node:crypto'
import type { Branding } from '../../../shared/api/settings.ts'
import type { BrandingFile, BrandingFolder } from '../../files/branding.ts'
import { accentRule, frameColour } from './accent.ts'

/** The appearance of pages by the branding settings. */
export interface Appearance {
  /** Colour of the browser frame, as `#rrggbb`. */
  frameColour: string
  /** A CSS rule for the accent; `''` for the default colours. */
  accentRule: string
  /** The branding files that exist. */
  files: ReadonlySet<BrandingFile>
  /** Part of the URLs of those files, which browsers cache: it changes whenever any of them does. */
  version: string
}

/** The appearance that the current settings ask for. */
export async function appearanceOf(branding: Branding, folder: BrandingFolder): Promise<Appearance> {
  const versions = await folder.versions(branding.files)
  return {
    frameColour: frameColour(branding.color),
    accentRule: accentRule(branding.color),
    files: new Set(versions.keys()),
    version: createHash('sha256')
      .update(JSON.stringify([...versions]))
      .digest('hex')
      .slice(0, 12),
  }
}
