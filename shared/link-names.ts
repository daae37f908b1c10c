/** What a link's name begins with in addresses, where a hash cannot. */
export const LINK_NAME_MARK = '~'

/** Characters of a link's own name. */
export const MAX_LINK_NAME = 64

/** Whether a folded text can be a link's own name. */
export const isLinkName = (text: string): boolean => /^[a-z0-9-]{3,64}$/.test(text)

/** A link's name as it is stored and compared. */
export const foldLinkName = (text: string): string => text.trim().toLowerCase()
