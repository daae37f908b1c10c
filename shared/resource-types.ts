/** How things are shown (specification section 3), `''` for folders. Listings in rows tell a type by its position here. */
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
