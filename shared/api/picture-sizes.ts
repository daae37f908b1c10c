import * as z from 'zod/mini'

/**
 * Response of `GET /api/picture-sizes/{folder}`: width and height in pixels, as shown, in the order of the requested
 * names; `null` where they are unknown (http-api 6).
 */
export const PictureSizes = z.object({
  sizes: z.array(z.nullable(z.tuple([z.int(), z.int()]))),
})
export type PictureSizes = z.infer<typeof PictureSizes>
