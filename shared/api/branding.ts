import * as z from 'zod/mini'

/** The images of the host that administrators upload: the logo, the icon of the tab, the picture of the sign-in page. */
export const BRANDING_IMAGES = ['logo', 'icon', 'picture'] as const
export type BrandingImageName = (typeof BRANDING_IMAGES)[number]

/** An uploaded image. */
export const BrandingImage = z.object({
  name: z.enum(BRANDING_IMAGES),
  /** Its media type. */
  type: z.string(),
  /** Bytes. */
  size: z.int(),
  /** Part of its URL, `/static/branding/{name}?v={version}`; changes with its content. */
  version: z.string(),
})
export type BrandingImage = z.infer<typeof BrandingImage>

/** Response of `GET /api/branding`. */
export const BrandingAnswer = z.object({
  images: z.array(BrandingImage),
  /** Maximum bytes of each. */
  limits: z.record(z.enum(BRANDING_IMAGES), z.int()),
})
export type BrandingAnswer = z.infer<typeof BrandingAnswer>
