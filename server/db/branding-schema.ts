export interface BrandingTables {
  branding_images: BrandingImagesTable
}

/** Images of the host that administrators uploaded. */
export interface BrandingImagesTable {
  name: string
  /** Media type, by content. */
  type: string
  /** In base64. */
  content: string
  /** Bytes. */
  size: number
  /** Pixels; 0 for vector graphics. */
  width: number
  height: number
  /** Part of the hash of the content. */
  version: string
  changed_at: number
}
