/**
 * A command over `GET /api/command/{folder}` as a WebSocket (http-api 13): one text message with the command line, then
 * a text message for each line it writes, without the line's end; the server closes with 1000 when it is over. If it was
 * not run, or not to its end, the last message says why, and the reason of the close is a word for that: one of these, or
 * a code as in the header `X-Error-Code`.
 */
export const NOT_ALLOWED = 'not_allowed'
export const CUT_OFF = 'cut_off'

/** The last message of a command that is not on the user's list. */
export const COMMAND_NOT_ALLOWED = 'Command not allowed.'

/** Characters of a line of output at most; a longer one comes as several. */
export const MAX_OUTPUT_LINE = 64 * 1024
