/** How a listing shows its entries. */
export const VIEW_MODES = ['list', 'mosaic', 'mosaic gallery'] as const
export type ViewMode = (typeof VIEW_MODES)[number]
