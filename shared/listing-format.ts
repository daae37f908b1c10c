/** Media type of a listing in rows (docs/design/search.md), for clients that accept it. */
export const LISTING_IN_ROWS = 'application/vnd.filigree.listing'

/** Separates the texts of a column: neither names nor times contain it. */
export const SEPARATOR = '/'
