/** Media type of a listing in rows (docs/design/search.md), for those who ask for it by `Accept`. */
export const LISTING_IN_ROWS = 'application/vnd.filigree.listing'

/** What stands between texts of a column: neither a name nor a time can hold it. */
export const SEPARATOR = '/'
