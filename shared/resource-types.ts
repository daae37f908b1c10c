/** How things are shown, `''` for folders. Listings in rows tell a type by its position here. */
export const RESOURCE_TYPES = [
  'image',
  'audio',
  'video',
  'pdf',
  'text',
  'textImmutable',
  'blob',
  'invalid_link',
  '',
] as const

/** The bit of a folder in Go's file modes, which clients read (http-api 15.1). */
export const MODE_FOLDER = 2 ** 31
