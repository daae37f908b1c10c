import type { ResourceItem } from '../../../../shared/api/resources.ts'
import { EXIF_BYTES, type Exif, exifOf, mayHaveExif } from '../../../../shared/exif.ts'
import { api } from '../../../lib/api.ts'
import { formatDate, formatNumber } from '../../../lib/i18n/format.ts'
import { t, useLocale } from '../../../lib/i18n/index.ts'
import { useQuery } from '../../../lib/query.ts'
import { pixelsQuery } from '../api/pixels.ts'
import { rawPath } from '../api/resource.ts'
import { Fact } from './fact.tsx'

/** An image's dimensions and camera metadata. Renders nothing until they are loaded. */
export default function PhotoFacts({ item }: { item: ResourceItem }) {
  useLocale()
  const { path, name, modified } = item
  const { data: pixels } = useQuery(pixelsQuery(item))
  const { data: exif } = useQuery({
    queryKey: ['exif', path, modified],
    queryFn: ({ signal }) => fetchExif(path, signal),
    enabled: mayHaveExif(name),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <>
      {pixels && (
        <Fact label={t('preview.pixels')}>
          <bdi>{`${formatNumber(pixels.width)} × ${formatNumber(pixels.height)}`}</bdi>
        </Fact>
      )}
      {exif && <CameraFacts exif={exif} />}
    </>
  )
}

function CameraFacts({ exif }: { exif: Exif }) {
  const { taken, camera, lens, place } = exif
  const exposure = exposureOf(exif)
  return (
    <>
      {taken && <Fact label={t('preview.taken')}>{formatDate(taken.getTime())}</Fact>}
      {camera !== undefined && (
        <Fact label={t('preview.camera')}>
          <bdi>{camera}</bdi>
        </Fact>
      )}
      {lens !== undefined && (
        <Fact label={t('preview.lens')}>
          <bdi>{lens}</bdi>
        </Fact>
      )}
      {exposure !== '' && (
        <Fact label={t('preview.exposure')}>
          <bdi>{exposure}</bdi>
        </Fact>
      )}
      {place && (
        <Fact label={t('preview.place')}>
          <bdi>{placeText(place)}</bdi>
        </Fact>
      )}
    </>
  )
}

/** Degrees to about a metre, as maps take them in their search: `54.32330, 10.13940`. */
const placeText = ({ latitude, longitude }: NonNullable<Exif['place']>) =>
  `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`

/** In the notation of cameras: `1/250 s · f/2.8 · ISO 100 · 35 mm`. */
function exposureOf({ time, aperture, iso, focalLength }: Exif): string {
  const parts = [
    time && `${time < 0.5 ? `1/${formatNumber(Math.round(1 / time))}` : formatNumber(time)} s`,
    aperture && `f/${formatNumber(aperture)}`,
    iso && `ISO ${iso}`,
    focalLength && `${formatNumber(focalLength)} mm`,
  ]
  return parts.filter(Boolean).join(' · ')
}

/** `null` when the file has none. */
async function fetchExif(path: string, signal: AbortSignal): Promise<Exif | null> {
  const answer = await api(rawPath(path), { signal, headers: { Range: `bytes=0-${EXIF_BYTES - 1}` } })
  return (await exifOf(await answer.arrayBuffer())) ?? null
}
