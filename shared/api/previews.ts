/** What a preview can be made in: a square for listings, or as large as a window shows it (http-api 6). */
export const PREVIEW_SIZES = ['thumb', 'big'] as const
export type PreviewSize = (typeof PREVIEW_SIZES)[number]
