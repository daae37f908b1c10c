/** Preview sizes: a square for lists, the longest side in pixels for tiles, or large enough for a window (http-api 6). */
export const PREVIEW_SIZES = ['thumb', '512', '1024', 'big'] as const
export type PreviewSize = (typeof PREVIEW_SIZES)[number]
