/**
 * The cache in which the service worker keeps what another app on the device shares with the installed app, until the
 * user has chosen a folder for it. Caches belong to an origin, which other instances may share.
 * @param base path of the app, with a slash at the end
 */
export const receivedCache = (base: string): string => `filigree ${base} received`

/** Files in one share. */
export const MAX_RECEIVED_FILES = 64

/** Bytes in one share. */
export const MAX_RECEIVED_BYTES = 2 * 1024 ** 3

/** Milliseconds for which a share waits for its folder. */
export const RECEIVED_LIFETIME = 7 * 24 * 3600 * 1000

/** Header of a cached file: its name, encoded by `encodeURIComponent`. */
export const NAME_HEADER = 'x-name'

/** Header of a cached file: when it arrived, in milliseconds since the epoch. */
export const TIME_HEADER = 'x-time'

/** Query parameter of the page after a share: how the share ended. */
export const RECEIVED_PARAMETER = 'received'

/** `again`: the worker did not run yet, and the server does not read shares; `large`: over a limit. */
export type ReceivedResult = 'kept' | 'large' | 'failed' | 'again'
