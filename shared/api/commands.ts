/**
 * A command over `GET /api/command/{folder}` as a WebSocket (contract 13): one text message with the command line, then
 * a text message for each line it writes, without the line's end; the server closes with 1000 when it is over.
 */
export const COMMAND_NOT_ALLOWED = 'Command not allowed.'

/** Characters of a line of output at most; a longer one comes as several. */
export const MAX_OUTPUT_LINE = 64 * 1024
