import { createHash } from 'node:crypto'
import type { Branding } from '../../../shared/api/settings.ts'
import type { BrandingFile, BrandingFolder } from '../../files/branding.ts'
import { accentRule, frameColour } from './accent.ts'

/** How pages look by the branding settings. */
export interface Look {
  /** Colour of the browser frame, as `#rrggbb`. */
  frameColour: string
  /** A CSS rule for the accent; `''` for the default colours. */
  accentRule: string
  /** The branding files that exist. */
  files: ReadonlySet<BrandingFile>
  /** Part of the URLs of those files, which browsers cache: it changes whenever any of them does. */
  version: string
}

/** The look that the current settings ask for. */
export async function lookOf(branding: Branding, folder: BrandingFolder): Promise<Look> {
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
