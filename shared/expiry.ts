/** Whether a share link has ended. @param expire seconds since the epoch; 0 for never @param now likewise */
export function isExpired(expire: number, now: number): boolean {
  return expire > 0 && expire <= now
}
