/** How a listing shows its entries (specification section 2). */
export const VIEW_MODES = ['list', 'mosaic', 'mosaic gallery'] as const
export type ViewMode = (typeof VIEW_MODES)[number]
