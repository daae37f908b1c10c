/** Every limit of the product that both sides know, with its unit. Those of the server alone stand in `server/limits.ts`. */

/** Uploads that run at once. */
export const MAX_CONCURRENT_UPLOADS = 5
/** Milliseconds between two published upload progress updates. */
export const UPLOAD_PROGRESS_INTERVAL = 100
/** Milliseconds a confirmation stays… */
export const NOTICE_TIMEOUT = 5000
/** …and so many more for each of its characters; the second of specification section 9 is too short to read it. */
export const NOTICE_TIME_PER_CHARACTER = 50
/** Milliseconds a confirmation with an action stays at least. */
export const ACTION_NOTICE_TIMEOUT = 8000
/** Milliseconds a notice stays at least when it is no longer held. */
export const NOTICE_REST = 3000
/** Milliseconds after which a lazy chunk counts as failed. */
export const CHUNK_TIMEOUT = 120_000
/** Milliseconds between mount and the removal of the loading overlay. */
export const LOADING_OVERLAY_DELAY = 200
/** Widest window, in CSS pixels, that gets the mobile layout. */
export const MOBILE_WIDTH = 736
/** Window of a double click or tap, in milliseconds. */
export const DOUBLE_CLICK_WINDOW = 300
/** Width of a column of tiles, in CSS pixels. */
export const MOSAIC_WIDTH = 280
/** Milliseconds until a resized window counts as settled. */
export const RESIZE_DEBOUNCE = 100
/** Segments a breadcrumb shows at most. */
export const BREADCRUMB_SEGMENTS = 3
/** Items a public link's page shows at first, and shows more of at a time. */
export const SHARE_PAGE_ITEMS = 100
/** Largest text file, in bytes, that is delivered as text (http-api 15.2). */
export const MAX_TEXT_BYTES = 10 * 1024 * 1024
/** Longest password, in bytes of UTF-8. The shortest is a setting of the instance. */
export const MAX_PASSWORD_BYTES = 1024
/** Side of a thumbnail, in pixels: it is cut to a square (http-api 6). */
export const THUMB_SIDE = 256
/** Longest side of a large preview, in pixels (http-api 6). */
export const BIG_SIDE = 1080
/** Longest side of a picture that is made smaller, in pixels (http-api 6). */
export const MAX_IMAGE_SIDE = 10_000
/** Bytes that are read of a file for such a picture. */
export const MAX_IMAGE_BYTES = 128 * 1024 * 1024
