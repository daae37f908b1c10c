/**
 * A command over `GET /api/command/{folder}` as a WebSocket (http-api 13): one text message with the command line, then
 * a text message for each line of output, without the line break; the server closes with 1000 at the end. If the
 * command was not run, or not to its end, the last message says why, and the close reason is one of these, or a code as
 * in the header `X-Error-Code`.
 */
export const NOT_ALLOWED = 'not_allowed'
export const CUT_OFF = 'cut_off'

/** The last message for a command that is not on the user's list. */
export const COMMAND_NOT_ALLOWED = 'Command not allowed.'

/** Maximum characters per line of output; a longer line is split. */
export const MAX_OUTPUT_LINE = 64 * 1024
