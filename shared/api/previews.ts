/** Preview sizes: a square for listings, or large enough for a window (http-api 6). */
export const PREVIEW_SIZES = ['thumb', 'big'] as const
export type PreviewSize = (typeof PREVIEW_SIZES)[number]
