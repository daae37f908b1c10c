/** Limits used by both sides, with their units. Those of the server alone are in `server/limits.ts`. */

/** Concurrent uploads. */
export const MAX_CONCURRENT_UPLOADS = 5
/** Milliseconds between two published upload progress updates. */
export const UPLOAD_PROGRESS_INTERVAL = 100
/** Rows that a listing shows of what is being uploaded into it: each takes part in the sorting. */
export const MAX_PALE_ROWS = 100
/** Milliseconds a confirmation stays… */
export const NOTICE_TIMEOUT = 5000
/** …plus so many per character: a fixed second or two is too short for a long sentence. */
export const NOTICE_TIME_PER_CHARACTER = 50
/** Minimum milliseconds that a confirmation with an action stays. */
export const ACTION_NOTICE_TIMEOUT = 10_000
/** Minimum milliseconds that a notice stays after it is released. */
export const NOTICE_REST = 3000
/** Milliseconds after which a lazy chunk counts as failed. */
export const CHUNK_TIMEOUT = 120_000
/** Milliseconds between mount and the removal of the loading overlay. */
export const LOADING_OVERLAY_DELAY = 200
/** Widest window, in CSS pixels, that gets the mobile layout. */
export const MOBILE_WIDTH = 736
/** Window of a double click or tap, in milliseconds. */
export const DOUBLE_CLICK_WINDOW = 300
/** Width of a grid column, in CSS pixels. */
export const MOSAIC_WIDTH = 280
/** Milliseconds until a resized window counts as settled. */
export const RESIZE_DEBOUNCE = 100
/** Maximum segments shown in a breadcrumb. */
export const BREADCRUMB_SEGMENTS = 3
/** Images whose sizes one request asks for. */
export const PICTURES_AT_ONCE = 200
/** Rows and columns of the colours by which a gallery represents an image. */
export const COLOURS_SIDE = 3
/** Items per batch on a share link's page. */
export const SHARE_PAGE_ITEMS = 100
/** Largest text file, in bytes, that is delivered as text (http-api 15.2). The editor opens more, see `MAX_EDITED_BYTES`. */
export const MAX_TEXT_BYTES = 10 * 1024 * 1024
/** Bytes of a text that the editor opens; of a longer file only these, to read. */
export const MAX_EDITED_BYTES = 64 * 1024 * 1024
/** Longest password, in bytes of UTF-8. The shortest is a setting of the instance. */
export const MAX_PASSWORD_BYTES = 1024
/** Side of a thumbnail, in pixels: it is cut to a square (http-api 6). */
export const THUMB_SIDE = 256
/** Longest side of a large preview, in pixels (http-api 6). */
export const BIG_SIDE = 1080
/** Longest side of a resized image, in pixels (http-api 6). */
export const MAX_IMAGE_SIDE = 10_000
/** Bytes read of a file for such an image. */
export const MAX_IMAGE_BYTES = 128 * 1024 * 1024
/** Longest name of a share link, in characters, that its owner gives it. */
export const MAX_LINK_LABEL = 80
/** Longest text of a file request, and of a visitor, in characters. */
export const MAX_LINK_NOTE = 1000
/** Longest name of a visitor, in characters. */
export const MAX_SENDER = 80

/** Visits and downloads of a share link that are listed. */
export const LISTED_VISITS = 200
