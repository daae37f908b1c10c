import { LISTING_IN_ROWS } from '../../shared/listing-format.ts'

/** Of a call for a folder: rather in rows than as JSON, which files are told as. */
export const IN_ROWS = { headers: { Accept: `${LISTING_IN_ROWS}, application/json` } }
