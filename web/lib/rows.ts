import { LISTING_IN_ROWS } from '../../shared/listing-format.ts'

/** `Accept` of a call for a folder: prefers NDJSON to JSON, the format for files. */
export const IN_ROWS = { headers: { Accept: `${LISTING_IN_ROWS}, application/json` } }
