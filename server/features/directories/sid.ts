/** Bytes before the numbers of a security identifier of Windows, and of each number. */
const [HEAD, NUMBER] = [8, 4]

/**
 * The security identifier of the primary group of a user, as text: that of the user, with the number of the group at
 * the end. In a filter its bytes would be taken for text.
 * @returns nothing for entries that have none
 */
export function primaryGroupSid(sid: Buffer | undefined, primaryGroup: string | undefined): string | undefined {
  if (primaryGroup === undefined || !/^\d{1,10}$/.test(primaryGroup)) return undefined
  const count = sid?.[1] ?? 0
  if (!sid || count === 0 || sid.length !== HEAD + NUMBER * count) return undefined
  const domain = Array.from({ length: count - 1 }, (_, index) => sid.readUInt32LE(HEAD + NUMBER * index))
  return ['S', sid[0], sid.readUIntBE(2, 6), ...domain, primaryGroup].join('-')
}
