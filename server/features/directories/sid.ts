/** Bytes of the last part of a security identifier of Windows: the number of an account in its domain. */
const NUMBER = 4

/**
 * The security identifier of the primary group of a user: that of the user, with the number of the group at the end.
 * @returns nothing for entries that have none
 */
export function primaryGroupSid(sid: Buffer | undefined, primaryGroup: string | undefined): Buffer | undefined {
  if (!sid || sid.length < 8 + NUMBER || primaryGroup === undefined || !/^\d{1,10}$/.test(primaryGroup))
    return undefined
  const group = Buffer.from(sid)
  group.writeUInt32LE(Number(primaryGroup) % 2 ** 32, sid.length - NUMBER)
  return group
}
