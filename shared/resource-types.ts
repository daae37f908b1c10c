/** The types of resources, `''` for folders. Listings in rows encode a type by its position here. */
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

/** The folder bit of Go's file modes, which clients read (http-api 15.1). */
export const MODE_FOLDER = 2 ** 31
