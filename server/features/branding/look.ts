import { createHash } from 'node:crypto'
import type { Branding } from '../../../shared/api/settings.ts'
import type { BrandingFile, BrandingFolder } from '../../files/branding.ts'
import { accentRule, frameColour } from './accent.ts'

/** How a page looks by the wish of its host. */
export interface Look {
  /** What a browser tints its frame with, as `#rrggbb`. */
  frameColour: string
  /** A rule for the colours of the interface; `''` for its own ones. */
  accentRule: string
  /** Files of the host's own. */
  files: ReadonlySet<BrandingFile>
  /** Goes into the addresses of those files, which browsers may keep: it is another one once any of them is. */
  version: string
}

/** The look that the settings ask for now. */
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
