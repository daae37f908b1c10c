import { ROOT } from '../../shared/path.ts'
import { placeInRoot } from '../../shared/places.ts'
import { conformance } from '../storage/conformance.ts'
import { diskPlace } from '../storage/local/test-place.ts'
import { storeBelow } from './store-below.ts'

conformance('a disk of another root', async () => {
  const disk = await diskPlace('handles')
  const at = placeInRoot({ root: 'media', path: ROOT })
  return { ...disk, at, store: storeBelow(disk.store, { visible: ROOT, folder: at, top: ROOT, root: 'media' }) }
})
