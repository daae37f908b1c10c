import sharp from 'sharp'

/** A photo of 12 megapixels and about 5 MB, as JPEG. */
export async function makePhoto() {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 }
  const small = await sharp({ create: { width: 1000, height: 750, channels: 3, noise, background: '#888' } })
    .png()
    .toBuffer()
  return sharp(small).resize(4000, 3000).jpeg({ quality: 90 }).toBuffer()
}
