/** Fragment with which the server sends the browser back to the login page. */
export const HANDOVER = '#handover='
